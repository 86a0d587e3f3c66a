#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace isolation {

/// Every file of the host that a worker may read: the loader first, then the libraries a C++ program links,
/// and two devices. Files, not folders: an engine may be installed below /usr/lib, with its references.
/// `sanitized`: the sanitizers' libraries too. Only what exists here.
const std::vector<std::filesystem::path>& worker_files(bool sanitized);

/// What a GPU's driver reads of the kernel's, besides what /proc has: where the processors lie, and whether
/// the kernel's side of it is there. Some may be missing.
const std::vector<std::filesystem::path>& driver_files();

/// What an environment needs for the loader to find these libraries, where they lie in folders that it does
/// not look in by itself: "LD_LIBRARY_PATH=/usr/local/nvidia/lib64". Empty for none. Files below /dev do not
/// count.
std::string library_path(const std::vector<std::filesystem::path>& files);

} // namespace isolation

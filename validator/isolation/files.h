#pragma once

#include <filesystem>
#include <vector>

namespace isolation {

/// Every file of the host that a worker may read: the loader first, then the libraries a C++ program links,
/// and two devices. Files, not folders: an engine may be installed below /usr/lib, with its references.
/// `sanitized`: the sanitizers' libraries too. Only what exists here.
const std::vector<std::filesystem::path>& worker_files(bool sanitized);

} // namespace isolation

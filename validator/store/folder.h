#pragma once

#include <filesystem>
#include <system_error>

namespace store {

/// Creates the folder and what is missing above it, each made durable in its parent. An existing folder, also
/// through a symbolic link, is left alone.
std::error_code create_folder(const std::filesystem::path& folder);

} // namespace store

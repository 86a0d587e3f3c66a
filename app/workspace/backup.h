#pragma once

#include <filesystem>
#include <optional>

namespace workspace {

/// Gives a file that is there another name, with the time in it, which nothing has yet: what the learner
/// wrote is never overwritten. Returns that name; nothing where there is no such file. Throws
/// std::filesystem::filesystem_error.
std::optional<std::filesystem::path> set_aside(const std::filesystem::path& file);

} // namespace workspace

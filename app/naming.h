#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Which problem a learner means.
namespace app {

struct Places {
    std::vector<std::string> ids;                 ///< in the order of `list`
    std::vector<std::filesystem::path> exercises; ///< folders that hold one folder a problem
    std::filesystem::path here;                   ///< relative paths begin here
};

/// The problem in whose exercise a file or folder lies; nothing for a path elsewhere or without a file.
std::optional<std::string> problem_at(const std::filesystem::path& path, const Places& places);

/// By its id, its number in `list` or a path in its exercise.
std::optional<std::string> problem_named(const std::string& word, const Places& places);

} // namespace app

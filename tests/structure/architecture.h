#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace structure {

/// Sources of a folder, and the folders that their includes may name, besides their own.
struct IncludeRule {
    std::string folder;
    bool alone = false; ///< for the files that lie in it, not for its subfolders
    std::vector<std::string> may_include;
};

/// The table of folders in ARCHITECTURE.md below `root`: its first column names a folder, or a file of one,
/// and its last what may be included. Throws std::runtime_error where there is no such table.
std::vector<IncludeRule> read_include_rules(const std::filesystem::path& root);

} // namespace structure

#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Reads the sources below a root as text and says what breaks the rules, one line a finding; none: all is
/// well.
namespace structure {

std::vector<std::string> forbidden_includes(const std::filesystem::path& root);
std::vector<std::string> forbidden_libraries(const std::filesystem::path& root);
std::vector<std::string> forbidden_processes(const std::filesystem::path& root);
std::vector<std::string> overlong_files(const std::filesystem::path& root);
/// Rows of the tables that no file needs any more.
std::vector<std::string> stale_exceptions(const std::filesystem::path& root);

/// Folders of validator/ that a suite's headers come from, and that the list which kits are installed and
/// compiled by does not name.
std::vector<std::string> unlisted_header_folders(const std::filesystem::path& root);

/// Headers that no source file includes before everything else, so that building does not show that they
/// compile alone.
std::vector<std::filesystem::path> unproved_headers(const std::filesystem::path& root);

} // namespace structure

#pragma once

#include <filesystem>
#include <string>

namespace teaching {

/// The folder that a file is in; "." for a name alone.
std::filesystem::path folder_of(const std::filesystem::path& file);

/// Makes a folder and those above it. Throws model::EnvironmentError.
void make_folder(const std::filesystem::path& folder);

/// Writes a file in one step: readers see the old content or the new one. Throws model::EnvironmentError.
void write_file(const std::filesystem::path& folder, const std::filesystem::path& name,
                const std::string& text);

} // namespace teaching

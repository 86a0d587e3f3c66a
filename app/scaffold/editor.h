#pragma once

#include "build/layout.h"

#include <filesystem>
#include <vector>

namespace scaffold {

/// Adds what clangd needs to open the files of a collection: `compile_flags.txt`, `.clangd` and `.gitignore`,
/// which an author commits and may change, and in `.engine`, which git ignores, links to the headers of this
/// engine. Files that are there stay as they are, and the links are renewed. Returns the files that were
/// added. Throws model::EnvironmentError where one cannot be written, and model::UsageError for a link on the
/// way to it.
std::vector<std::filesystem::path> add_editor_files(const std::filesystem::path& collection,
                                                    const build::Layout& layout);

} // namespace scaffold

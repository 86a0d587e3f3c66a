#pragma once

#include "build/layout.h"
#include "model/problem.h"

#include <filesystem>
#include <string>
#include <vector>

namespace workspace {

/// A file that a workspace begins with; `path` is relative to its folder.
struct File {
    std::filesystem::path path;
    std::string text;
};

/// What the texts of a workspace name.
struct Names {
    std::filesystem::path folder; ///< the workspace
    std::filesystem::path
        emulator;       ///< CUDA headers for editors; named by a relative path where they lie inside
    std::string engine; ///< how the engine is called in that folder, as a shell word
    std::filesystem::path program; ///< the same for a program that starts it: one name, or a whole path
};

/// For editors: `.clangd` and `compile_flags.txt`, with which clangd reads C++ and CUDA as they are judged,
/// on a machine without CUDA; and tasks for VS Code.
std::vector<File> editor_files(const Names& names);

/// README.md and .gitignore.
std::vector<File> words(const Names& names);

/// Contracts, starters and what they all include. Throws model::EnvironmentError where one cannot be read.
std::vector<File> exercises(const build::Layout& layout, const std::vector<model::Problem>& problems);

} // namespace workspace

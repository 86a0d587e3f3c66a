#pragma once

#include "build/layout.h"
#include "model/problem.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace workspace {

/// A file that a workspace begins with; `path` is relative to its folder.
struct File {
    std::filesystem::path path;
    std::string text;
};

/// What the texts of a workspace name. Learners commit them, so none has a path of this machine: what is
/// outside of the workspace is reached through the files of `generated`.
struct Names {
    std::filesystem::path folder;   ///< the workspace
    std::filesystem::path emulator; ///< CUDA headers for editors
    std::string engine;             ///< how the engine is called in that folder, as a shell word
    std::filesystem::path program;  ///< the same for a program that starts it: one name, or a whole path

    /// Below the workspace, as the headers and the engine of a clone are.
    bool has_inside(const std::filesystem::path& path) const;
    /// A name for `program` that holds on other machines, too; nothing where there is none.
    bool has_portable_program() const { return !program.has_parent_path() || has_inside(program); }
};

/// A script that starts the engine, and a folder of headers.
inline constexpr std::string_view run_script = ".engine/run";
inline constexpr std::string_view copied_headers = ".engine/cuda";

/// The `.clangd` with which clangd reads C++ and CUDA as they are judged, on a machine without CUDA.
/// `emulator`: the folder of the CUDA headers, from that file's.
std::string clangd_text(const std::string& emulator);

/// For editors: `.clangd` and `compile_flags.txt`, and tasks for VS Code.
std::vector<File> editor_files(const Names& names);

/// What belongs to this machine, in the folder that git ignores: the script, if the engine has no portable
/// name, and a copy of the CUDA headers, if they are not in the workspace. Throws model::EnvironmentError if
/// those cannot be read.
std::vector<File> generated(const Names& names);

/// README.md and .gitignore.
std::vector<File> words(const Names& names);

/// The text of a file that a workspace begins with. Throws model::EnvironmentError where it cannot be read.
std::string read_starter(const std::filesystem::path& file);

/// Contracts, starters, the headers that they all include, and their fine print, if there is one. Throws
/// model::EnvironmentError where one cannot be read.
std::vector<File> exercises(const build::Layout& layout, const std::vector<model::Problem>& problems);

} // namespace workspace

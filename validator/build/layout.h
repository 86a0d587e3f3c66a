#pragma once

#include <filesystem>
#include <string>

namespace build {

/// Where everything of this installation lies. `layout.json` beside the program says so; in it a relative
/// path starts at the file's own folder, so an installed tree may be moved.
struct Layout {
    std::string version;            ///< of the engine
    std::filesystem::path compiler; ///< the one the engine was built with; empty: search
    std::filesystem::path exercises;
    std::filesystem::path problems;
    std::filesystem::path reference;
    std::filesystem::path starters;
    std::filesystem::path schemas;
    std::filesystem::path drivers;        ///< a program a problem: suite and reference
    std::filesystem::path mistakes;       ///< a program a problem: its known mistakes
    std::filesystem::path canary;         ///< the program that tests the isolation
    std::filesystem::path objects;        ///< `<id>/table.o` and `shim.o`
    std::filesystem::path preludes;       ///< `light.h` and `full.h`
    std::filesystem::path worker_headers; ///< what call tables are made with: `subject/shim/table.h`
    std::filesystem::path templates;      ///< what `engine new` begins a problem with
    std::filesystem::path emulator;       ///< headers of the CUDA emulator

    std::filesystem::path shim() const { return objects / "shim.o"; }
    /// What the workers of CUDA problems are linked with besides.
    std::filesystem::path emulator_shim() const { return objects / "emulator" / "shim.o"; }
    std::filesystem::path emulator_runtime() const { return objects / "emulator" / "runtime.a"; }
    std::filesystem::path table(const std::string& problem_id) const {
        return objects / problem_id / "table.o";
    }
};

/// Throws model::ContentError that names the file and the key.
Layout read_layout(const std::filesystem::path& file);

} // namespace build

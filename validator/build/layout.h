#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace build {

/// Where everything of this installation lies. `layout.json` beside the program says so; in it a relative
/// path starts at the file's own folder, so an installed tree may be moved.
struct Layout {
    std::string version;            ///< of the engine
    std::string commit;             ///< that it was built from; empty: not known
    std::filesystem::path compiler; ///< the one the engine was built with; empty: search
    std::filesystem::path exercises;
    std::filesystem::path problems;
    std::filesystem::path reference;
    std::filesystem::path starters;
    std::filesystem::path schemas;
    std::filesystem::path kits;     ///< of the whole system, looked in first; may be missing
    std::filesystem::path canary;   ///< the program that tests the isolation
    std::filesystem::path objects;  ///< `shim.o` and what else workers are linked with
    std::filesystem::path preludes; ///< `light.h`, `full.h` and `guard.h`
    std::filesystem::path headers;  ///< what kits are made with: `harness/suite.h`, `subject/shim/table.cpp`
    std::filesystem::path driver_library;    ///< what every driver is linked with; `.sha256` beside it
    std::string driver_flags;                ///< how it was compiled, as far as that binds a driver
    std::filesystem::path templates;         ///< what `engine new` begins a problem with
    std::filesystem::path emulator;          ///< headers of the CUDA emulator
    std::filesystem::path nvcc;              ///< NVIDIA's compiler; empty: search
    std::filesystem::path compute_sanitizer; ///< NVIDIA's checker of kernels; empty: search
    std::vector<std::filesystem::path>
        gpu_files; ///< what a program needs to reach the GPU; empty: the driver's
    std::vector<std::filesystem::path> content; ///< folders of all collections in use; not of layout.json

    /// "0.1.0+1f2e3d4c": for people and reports. Cache keys have the version alone, since what a build
    /// depends on is in them anyway.
    std::string full_version() const { return commit.empty() ? version : version + "+" + commit; }
    /// Each program of a compiler runs under it; empty where the layout names no programs.
    std::filesystem::path stage() const { return canary.empty() ? canary : canary.parent_path() / "stage"; }
    std::filesystem::path gpu_probe() const { return headers / "subject" / "shim" / "gpu_probe.cu"; }
    std::filesystem::path gpu_copy() const { return headers / "subject" / "shim" / "gpu_copy.cu"; }
    std::filesystem::path shim() const { return objects / "shim.o"; }
    /// In its place in a program for a debugger.
    std::filesystem::path replay() const { return objects / "replay.o"; }
    /// What the workers of CUDA problems are linked with besides.
    std::filesystem::path emulator_shim() const { return objects / "emulator" / "shim.o"; }
    /// What a traced program with a `main` of its own is linked with.
    std::filesystem::path own_trace() const { return objects / "emulator" / "own_trace.o"; }
    std::filesystem::path emulator_runtime() const { return objects / "emulator" / "runtime.a"; }
};

/// Throws model::ContentError that names the file and the key.
Layout read_layout(const std::filesystem::path& file);

} // namespace build

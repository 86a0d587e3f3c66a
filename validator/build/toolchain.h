#pragma once

#include "build/layout.h"
#include "build/variant.h"

#include "model/judgement.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace build {

enum class Family { gcc, clang };

/// The compiler of this machine, and what was seen to work with it.
struct Toolchain {
    std::filesystem::path compiler;
    Family family = Family::gcc;
    std::string version;        ///< "12.2.0"
    std::string machine;        ///< "x86_64-linux-gnu"
    std::string linker;         ///< for -fuse-ld=: "mold", "lld", or empty for the default one
    bool static_runtime = true; ///< libstdc++ can be linked statically, which makes a worker start sooner
    bool sanitizers = true;     ///< AddressSanitizer and UndefinedBehaviourSanitizer compile and link
    bool races = true;          ///< ThreadSanitizer runs where a worker does
    std::filesystem::path nm;   ///< lists the symbols of an object; empty where there is none
    std::filesystem::path addr2line; ///< names the lines of addresses; empty where there is none
    std::filesystem::path nvcc;      ///< NVIDIA's compiler; empty where there is none
    std::string nvcc_version;        ///< "13.0.88"
    std::filesystem::path
        cudart;           ///< the runtime library beside it, to be linked with; empty where it is missing
    std::string identity; ///< changes whenever any of the programs above is replaced

    std::string name() const; ///< "g++ 12.2.0", for reports
};

/// The same as a report shows it, with the flags of this variant.
model::Toolchain describe(const Toolchain& toolchain, Variant variant = Variant::optimised);

/// Why nvcc cannot be asked about a submission here, in one sentence; empty where it can. C++20 and compute
/// capability 9.0 take CUDA 12.0.
std::string obstacle_to_nvcc(const Toolchain& toolchain);

/// Why it can make no programs for a GPU here.
std::string obstacle_to_gpu_programs(const Toolchain& toolchain);

/// The environment of every compiler and linker run: nothing of ours is inherited.
std::vector<std::string> compiler_environment(const std::filesystem::path& scratch);

/// Finds a compiler and tries out what it can do. The answer is kept in `cache_folder` until a program
/// changes, so only the first call takes time (about a second); `progress` hears of it. Throws
/// model::EnvironmentError where no usable C++20 compiler is found.
Toolchain find_toolchain(const Layout& layout, const std::filesystem::path& cache_folder,
                         const std::function<void(std::string_view)>& progress);

/// What was kept does not hold any more: the next call tries the compiler out again.
void forget_toolchain(const Toolchain& toolchain, const std::filesystem::path& cache_folder);

} // namespace build

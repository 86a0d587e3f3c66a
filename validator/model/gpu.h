#pragma once

#include <optional>
#include <string>
#include <vector>

namespace model {

/// A GPU as it answered, and what is known of its driver.
struct Gpu {
    std::string name;       ///< "NVIDIA H200"
    std::string driver;     ///< "550.54.15, CUDA 12.4"
    std::string capability; ///< "9.0"
    int clock_mhz = 0;
    int memory_mib = 0;
};

/// What became of compute-sanitizer in a graded run.
struct ComputeSanitizer {
    std::string version;          ///< "2025.3.1"; empty where there is none to use
    std::vector<std::string> ran; ///< those of its tools that came to their end: "memcheck"
    std::string reason;           ///< why not all of them did, or empty
};

/// A GPU that a submission ran on, and what a worker with its driver could not do.
struct GpuRun {
    Gpu gpu;
    std::vector<std::string> observed;                      ///< "socket: EPERM"
    std::optional<ComputeSanitizer> compute_sanitizer = {}; ///< nothing in practice runs
};

} // namespace model

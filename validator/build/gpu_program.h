#pragma once

#include "build/workshop.h"
#include "system/process.h"

#include <filesystem>
#include <string>
#include <variant>

namespace build {

/// What a program of ours for the GPU came to.
struct GpuAnswer {
    sys::RunOutcome outcome;
    std::string known; ///< what `nvcc --list-gpu-code` says
};

/// Compiles a program of ours with nvcc, once, and runs it as confined as a submission will be. Its code is
/// for the oldest GPU that nvcc knows, and PTX for all others. Or one sentence on why there is no answer.
/// Throws model::EnvironmentError where no program can be started at all, and model::Interrupted.
std::variant<GpuAnswer, std::string> run_gpu_program(const Workshop& workshop,
                                                     const std::filesystem::path& source, int cancel_fd);

} // namespace build

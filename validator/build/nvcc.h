#pragma once

#include "build/workshop.h"
#include "model/judgement.h"
#include "model/problem.h"
#include "model/submission.h"

#include <string_view>
#include <vector>

namespace build {

/// What NVIDIA's own compiler says of a CUDA submission that the emulator runs.
struct NvccOpinion {
    bool ran = false; ///< false where there is no nvcc, or where `cancel_fd` became readable
    bool ok = false;
    std::vector<model::Diagnostic> diagnostics; ///< errors, where it is not
};

/// Compiles each file for a GPU, in the compiler's sandbox, and keeps the answer in the cache; makes no
/// program.
NvccOpinion ask_nvcc(const Workshop& workshop, const model::Problem& problem,
                     const model::Submission& submission, int cancel_fd = -1);

/// The errors in what nvcc printed: "lookup.cu(12): error: …", of the submission's own files.
std::vector<model::Diagnostic> parse_nvcc_output(std::string_view output,
                                                 const model::Submission& submission);

} // namespace build

#pragma once

#include "build/compute_sanitizer.h"
#include "build/gpu.h"
#include "judge.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <optional>
#include <string>
#include <variant>

namespace app {

/// What a GPU is, in words.
std::string describe(const model::Gpu& gpu);

/// Whether a GPU is looked for: where one is asked for by name, or where a graded run may take one. A
/// practice run has its verdict from the emulator before nvcc has read the file. Throws model::UsageError for
/// a device that cannot run problems of this kind.
bool wants_gpu(model::Device device, const model::Problem& problem, bool graded);

/// The GPU that a submission runs on besides; nothing where the emulator serves. Throws
/// model::EnvironmentError where a GPU is asked for and there is none to use: what cannot be had is never
/// replaced in silence.
std::optional<build::Gpu> choose_gpu(model::Device device, std::variant<build::Gpu, std::string> found);

/// The GPU that grades rest on, with what keeps its workers apart and its checker of kernels. Throws
/// model::EnvironmentError if there is none.
judge::OnGpu gpu_for_grades(const build::Workshop& workshop, int cancel_fd);

/// NVIDIA's checker of kernels for graded runs, where a submission may run below it as well; or why not.
std::variant<build::ComputeSanitizer, std::string> usable_sanitizer(const build::Workshop& workshop);

} // namespace app

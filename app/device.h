#pragma once

#include "build/gpu.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <string>
#include <variant>

namespace app {

/// Whether this problem can be judged on the device asked for. `automatic` always can: C++ on the CPU, CUDA
/// on the emulator. Throws model::UsageError for a device that does not fit the problem, and
/// model::EnvironmentError for one that is not to be had here, each with what to say instead.
void check_device(model::Device device, const model::Problem& problem);

/// The same, given what a search for a GPU came to.
void check_device(model::Device device, const model::Problem& problem,
                  const std::variant<build::Gpu, std::string>& gpu);

/// "NVIDIA H200, driver 550.54.15, compute capability 9.0"
std::string describe(const build::Gpu& gpu);

} // namespace app

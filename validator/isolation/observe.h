#pragma once

#include "model/judgement.h"
#include "model/launcher.h"

#include <filesystem>
#include <string>
#include <vector>

namespace isolation {

/// What a worker started now, here, under the policy of `confine_worker`, could and could not do: found out
/// by running the canary program in its place. The level is made from these observations alone. Throws
/// model::EnvironmentError when the canary itself cannot be run.
model::Isolation observe(const std::filesystem::path& canary);

/// The same for a worker with a GPU's driver: what its sandbox still keeps from it. Throws
/// model::EnvironmentError where that is less than what workers without one are refused, apart from the
/// driver itself: then no program may run there.
std::vector<std::string> observe_with_gpu(const std::filesystem::path& canary,
                                          const std::vector<std::filesystem::path>& gpu_files);

/// Why no worker with a GPU's driver may be started by this launcher: what its sandbox would let it do beyond
/// what a launcher needs. Empty where there is nothing.
std::string obstacle_to_launcher(const std::filesystem::path& canary,
                                 const std::vector<std::filesystem::path>& gpu_files,
                                 const model::Launcher& launcher);

} // namespace isolation

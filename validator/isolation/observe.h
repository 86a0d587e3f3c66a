#pragma once

#include "model/judgement.h"

#include <filesystem>

namespace isolation {

/// What a worker started now, here, under the policy of `confine_worker`, could and could not do: found out
/// by running the canary program in its place. The level is made from these observations alone. Throws
/// model::EnvironmentError when the canary itself cannot be run.
model::Isolation observe(const std::filesystem::path& canary);

} // namespace isolation

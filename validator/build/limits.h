#pragma once

#include "model/judgement.h"
#include "system/process.h"

#include <optional>
#include <string>

namespace build {

/// What one compiler or linker run may take. CPU time, memory and file size are limited by its
/// confinement; the clock only ends what does not work at all, since a busy machine is nobody's fault.
inline constexpr sys::RunLimits compiler_limits{.wall = std::chrono::seconds(60), .output_bytes = 1 << 20};

/// Which limit ended a run, in plain words; nothing where none did.
std::optional<model::Diagnostic> limit_hit(const sys::RunOutcome& outcome);

/// What our machine, not the submission, is to blame for: then nothing may be graded. Nothing where the run
/// went well or failed for another reason.
std::optional<std::string> fault_of_ours(const sys::RunOutcome& outcome);

} // namespace build

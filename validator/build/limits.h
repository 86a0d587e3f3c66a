#pragma once

#include "model/judgement.h"
#include "system/process.h"
#include "system/stage/report.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace build {

/// What one compiler or linker run may take. CPU time, memory and file size are limited by its
/// confinement; the clock only ends what does not work at all, since a busy machine is nobody's fault.
inline constexpr sys::RunLimits compiler_limits{.wall = std::chrono::seconds(120), .output_bytes = 1 << 20};

/// One run of a compiler: as a whole, and each of its programs in the order of their ends.
struct CompilerRun {
    sys::RunOutcome outcome;
    bool watched = false; ///< its programs were to report
    std::vector<sys::StageReport> stages;
};

/// Which limit ended a run of `tool` ("compiler", say), in plain words; nothing if none did.
std::optional<model::Diagnostic> limit_hit(const CompilerRun& run, std::string_view tool);

/// A program of the compiler was killed, and neither by the engine nor by a limit of its own. One that had
/// taken far more memory than a compiler needs for a submission is none of these: what it read asked for
/// that.
bool killed_from_outside(const CompilerRun& run);

/// What was found on this machine after a run had failed.
struct Machine {
    bool disk_is_full = false;
    bool few_descriptors = false;
};

/// What the machine, not the submission, is to blame for: then nothing may be graded. Nothing where the run
/// went well or failed for another reason. Words of the compiler alone prove nothing: a submission can make
/// it say much.
std::optional<std::string> fault_of_ours(const CompilerRun& run, const Machine& machine);

} // namespace build

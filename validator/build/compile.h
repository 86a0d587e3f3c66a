#pragma once

#include "build/cache.h"
#include "build/plan.h"
#include "build/workshop.h"
#include "model/judgement.h"
#include "model/problem.h"
#include "model/submission.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace build {

/// What became of one build. A submission that does not compile is a value, not an error.
struct Built {
    bool ok = false;
    bool cached = false;                        ///< taken from the cache: nothing ran
    bool interrupted = false;                   ///< `cancel_fd` became readable; the rest means nothing
    CachedWorker worker;                        ///< where ok
    std::vector<model::Diagnostic> diagnostics; ///< without explanations; warnings too
    std::vector<std::string> defined; ///< the functions that the submission defines, where linking failed
    std::chrono::microseconds compile{0};
    std::chrono::microseconds link{0};
};

struct BothBuilt {
    Built optimised;
    std::optional<Built> sanitized; ///< nothing where the toolchain has no sanitizers
};

/// Compiles and links a submission, each in a sandbox, or finds the same build in the cache.
/// Throws model::EnvironmentError where the machine fails us (disk full, no process), never for what the
/// submission is.
Built build_worker(const Workshop& workshop, const model::Problem& problem,
                   const model::Submission& submission, Variant variant, int cancel_fd = -1);

/// Both variants side by side.
BothBuilt build_both(const Workshop& workshop, const model::Problem& problem,
                     const model::Submission& submission, int cancel_fd = -1);

} // namespace build

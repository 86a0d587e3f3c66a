#pragma once

#include "build/cache.h"
#include "build/call_table.h"
#include "build/plan.h"
#include "build/workshop.h"
#include "model/build_result.h"
#include "model/problem.h"
#include "model/submission.h"

namespace build {

/// What became of one build.
struct Built : model::BuildResult {
    bool interrupted = false; ///< `cancel_fd` became readable; the rest means nothing
    CachedWorker worker;      ///< where ok
};

/// Compiles and links a submission, each in a sandbox, or finds the same build in the cache.
/// Throws model::EnvironmentError where the machine fails us (disk full, no process), and what the making of
/// `table` throws, never for what the submission is.
Built build_worker(const Workshop& workshop, const model::Problem& problem, const CallTable& table,
                   const model::Submission& submission, Variant variant, int cancel_fd = -1);

/// The same for a submission of which one file has a `main` that calls the others: a program by itself, built
/// as a worker of this variant is. `problem.files` names all of them.
Built build_own_program(const Workshop& workshop, const model::Problem& problem,
                        const model::Submission& submission, Variant variant, int cancel_fd = -1);

} // namespace build

#pragma once

#include "build/cache.h"
#include "build/compute_sanitizer.h"
#include "build/gpu.h"
#include "build/workshop.h"
#include "kit/kit.h"
#include "model/check.h"
#include "model/errors.h"
#include "model/judgement.h"
#include "model/measurement.h"
#include "model/problem.h"
#include "model/submission.h"
#include "system/shared_time.h"

#include <cstdint>
#include <functional>
#include <future>
#include <string>
#include <variant>
#include <vector>

namespace judge {

/// Programs, built before, that hold the submission among others.
struct Ready {
    std::string implementation;                   ///< its name in them; empty: there are none
    const build::CachedWorker* judged = nullptr;  ///< the judged build
    const build::CachedWorker* checked = nullptr; ///< null: there is no checked build

    bool given() const { return !implementation.empty(); }
};

/// A GPU to run on, and what keeps a worker with its driver from everything else.
struct OnGpu {
    build::Gpu gpu;
    std::vector<std::string> observed; ///< what such a worker was refused
    /// For graded runs, or why it cannot be used.
    std::variant<build::ComputeSanitizer, std::string> sanitizer = {};
};

/// How far one of the programs of a judgement has come.
struct Heard {
    model::Check check;
    std::size_t ended; ///< of its tests; 0 once it has been built
    std::size_t tests;
};

/// What is to be judged, and how thoroughly.
struct Request {
    const model::Problem& problem;
    const kit::Kit& kit; ///< the problem's
    model::Submission submission;
    bool graded =
        false; ///< all tests and the checked build beside the optimised one; else visible tests only
    std::uint64_t seed = 0;
    /// As observed on this machine, perhaps still while the compiler works. Nothing of the submission runs
    /// before it is known; what it throws ends the judging.
    std::shared_future<model::Isolation> isolation;
    int cancel_fd = -1;             ///< becomes readable when judging shall stop
    std::vector<std::string> tests; ///< of those, the only ones to run; empty: all
    Ready ready;                    ///< where it says so, nothing is compiled, and `submission` is but a name
    const OnGpu* gpu = nullptr; ///< where the kernels of a CUDA submission run as well; null: nowhere else
    bool timed = false;         ///< the suite's timed cases in place of its tests
    bool thorough = false;      ///< makes every call that the suite knows (harness/depth.h)
    bool named = true;          ///< what fails is compared with the known mistakes
    int recording_fd = -1;      ///< a file for the calls of the last test; -1: keep none
    const sys::SharedTime* spent =
        nullptr; ///< by the runs so far, of the time that all have; `judge` sets it
    /// For whoever waits: is called from several threads, and may be empty.
    std::function<void(const Heard&)> heard = {};
};

/// Turns a submission into a judgement. What the submission does wrong is in the judgement; so is what the
/// judge itself does wrong, as judge_error. Throws model::EnvironmentError where the machine gives out before
/// anything was judged, and Interrupted when `cancel_fd` was heard.
model::Judgement judge(const build::Workshop& workshop, const Request& request);

/// How fast the functions of a CUDA submission are: the suite's timed cases, with their traffic counted on
/// the emulator and, where the request has a GPU, their time as a share of a copy's. Empty where the
/// submission does not compile. Throws as `judge` does.
model::Measurement measure(const build::Workshop& workshop, Request request);

using model::Interrupted;

/// For a request: what needs no waiting for.
std::shared_future<model::Isolation> known(model::Isolation isolation);

} // namespace judge

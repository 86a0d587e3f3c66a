#pragma once

#include "emulator/trace.h"
#include "events/event.h"
#include "model/build_result.h"
#include "model/check.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// All that a judgement is made from, as plain values: what was asked, and what each build and run yielded.
namespace grading {

/// What the kernels of each test case were seen to do.
using Traces = std::map<std::string, emulator::Trace>;

/// One program made from a submission, and what the driver saw of it.
struct ProgramEvidence {
    model::BuildResult build;
    std::optional<events::DriverRun> run; ///< nothing where it does not compile
    Traces traces;                        ///< in the run; with lines where the program is traced
    std::chrono::microseconds time{0};    ///< of the run
};

/// A program that checks, besides the judged one.
struct CheckedEvidence : ProgramEvidence {
    model::Check check = model::Check::sanitizers;
    bool one_worker = false; ///< served all test cases, so one may suffer from what another left
    model::Limits limits;    ///< its own: it is several times slower and hungrier than the judged one
    /// The cases that failed in it alone, each in a worker of its own: the last word on them.
    std::optional<events::DriverRun> alone;
};

/// A check that was due, and why it was not made.
struct CheckLeftOut {
    model::Check check;
    std::string why;
};

/// One of compute-sanitizer's tools over the program that runs on a GPU.
struct GpuCheck {
    std::string tool;                       ///< "memcheck"
    events::DriverRun run;                  ///< one worker served all tests, until something was lost
    std::optional<events::DriverRun> alone; ///< where it found anything: each test in a worker of its own
};

struct Evidence {
    std::string file;            ///< the learner's file as named on the command line
    std::string from;            ///< what --from named
    std::string call = "engine"; ///< how the learner calls the engine
    bool graded = false;
    bool thorough = false;
    std::uint64_t seed = 0;
    std::vector<model::TestSpec> tests; ///< those that were to run
    model::Isolation isolation;
    model::Toolchain toolchain;
    std::string device = "cpu";

    ProgramEvidence judged;
    std::vector<CheckedEvidence> checks;             ///< the other builds, each check at most once
    std::vector<CheckLeftOut> left_out;              ///< the checks that were due and were not made
    std::optional<model::GpuRun> gpu;                ///< CUDA: the GPU that kernels ran on
    std::string compute_sanitizer;                   ///< its version; empty where there is none to use
    std::string no_compute_sanitizer;                ///< why there is none
    std::vector<GpuCheck> gpu_checks;                ///< by its tools
    std::vector<model::Diagnostic> missing_includes; ///< standard headers that other compilers will ask for
    std::optional<model::CompileResult> nvcc; ///< NVIDIA's compiler on the same file; nothing: it did not run
    /// The failed cases again, for comparison with the known mistakes; nothing where the judged run did that.
    std::optional<events::DriverRun> naming;
    std::chrono::microseconds total{0}; ///< wall-clock time of all

    /// Null if no build made the check.
    const CheckedEvidence* made(model::Check check) const {
        const auto found = std::ranges::find(checks, check, &CheckedEvidence::check);
        return found != checks.end() ? &*found : nullptr;
    }
    /// Empty if the check was made, or was not due.
    std::string why_left_out(model::Check check) const {
        const auto found = std::ranges::find(left_out, check, &CheckLeftOut::check);
        return found != left_out.end() ? found->why : "";
    }
};

} // namespace grading

#pragma once

#include "emulator/trace.h"
#include "events/event.h"
#include "model/build_result.h"
#include "model/check.h"
#include "model/judgement.h"
#include "model/problem.h"

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

/// The program that checks besides.
struct CheckedEvidence : ProgramEvidence {
    model::Check check = model::Check::sanitizers;
    bool one_worker = false; ///< served all test cases, so one may suffer from what another left
    model::Limits limits;    ///< its own: it is several times slower and hungrier than the judged one
    /// The cases that failed in it alone, each in a worker of its own: the last word on them.
    std::optional<events::DriverRun> alone;
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
    std::optional<CheckedEvidence> checked;
    std::optional<CheckedEvidence>
        racing; ///< the program that looks for data races, where threads are started
    std::optional<CheckedEvidence>
        on_gpu;                       ///< CUDA: the program whose kernels run on a GPU, where there is one
    std::optional<model::GpuRun> gpu; ///< that GPU
    std::string compute_sanitizer;    ///< its version; empty where there is none to use
    std::string no_compute_sanitizer; ///< why there is none
    std::vector<GpuCheck> gpu_checks; ///< by its tools
    std::string races_not_looked_for; ///< why there is none where one was due
    std::string unchecked;            ///< why there is no checked program where one was due
    std::vector<model::Diagnostic> missing_includes; ///< standard headers that other compilers will ask for
    std::optional<model::CompileResult> nvcc; ///< NVIDIA's compiler on the same file; nothing: it did not run
    /// The failed cases again, for comparison with the known mistakes; nothing where the judged run did that.
    std::optional<events::DriverRun> naming;
    std::chrono::microseconds total{0}; ///< wall-clock time of all
};

} // namespace grading

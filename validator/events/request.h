#pragma once

#include "model/check.h"
#include "model/launcher.h"
#include "model/problem.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace events {

/// The descriptors a driver owns beside 0 (its request), 1 and 2.
constexpr int events_fd = 3;
constexpr int worker_fd = 4;
constexpr int mistakes_fd = 5;
constexpr int recording_fd = 6;
constexpr int spent_fd = 7;

/// Tests that a known mistake is to be run in.
struct SweepRow {
    std::string mistake;
    std::vector<std::string> tests;
};

/// A known mistake, and the tests that it fails: whatever the seed, or with some seeds. Only of tests that
/// may run beside the submission's.
struct Suspect {
    std::string mistake;
    std::vector<std::string> always;
    std::vector<std::string> sometimes;

    bool may_fail(const std::string& test) const;
    bool operator==(const Suspect&) const = default;
};

/// Which tests fail for which mistake, whatever the seed or for some seeds only. Seeds follow each other from
/// `first` on: `look` of them for every test, `count` for one that has failed with all of those.
struct Sweep {
    std::uint64_t first = 0;
    std::uint32_t look = 0;
    std::uint32_t count = 0;
    std::vector<SweepRow> rows;
};

/// What the supervisor asks of a driver, as JSON on its descriptor 0.
struct Request {
    std::uint64_t seed = 0;
    std::vector<std::string> tests; ///< names to run; empty: all
    /// The one to judge where the worker's program holds several; else empty.
    std::string implementation;
    model::Check check = model::Check::none; ///< what the program was built to find
    bool one_worker = false;                 ///< serves all cases, since a sanitized program starts slowly
    bool without_large = false;              ///< leaves out the cases that the suite marks so
    bool thorough = false;                   ///< makes the calls, too, that a graded run has no time for
    bool timed = false;                      ///< the suite's timed cases in place of its tests
    bool full_size = false;                  ///< these have the sizes of a GPU
    bool coverage = false;                   ///< tell which circumstances its calls were made in
    bool emulated = false;                   ///< the submission's kernels run on the emulator
    bool controlled = false;                 ///< each worker ends with a control
    bool threaded = false;                   ///< it can start threads, so equal calls may differ by chance
    std::vector<std::string> gpu_files;      ///< Check::gpu: through which workers reach the GPU
    model::Launcher launcher;                ///< starts each worker, where it is given
    bool slots = false;                      ///< accesses past an end are looked for (subject/slots.h)
    bool record = false;                     ///< keep the calls of the last case in recording_fd's file
    /// Once calls have run out of so much time together, no further case begins.
    std::chrono::milliseconds budget{3600'000};
    /// That all workers of the submission have together, in all its builds: what was spent of it is counted
    /// in spent_fd's memory, divided by `slowdown`. 0: there is no such limit.
    std::chrono::milliseconds total{0};
    int slowdown = 1; ///< of this build, as its limits have it
    model::Limits limits;
    std::vector<Suspect> mistakes; ///< to compare with when a test fails; in mistakes_fd's program
    /// Not empty: `worker_fd` holds mutants of these names, the first of which is the program as it was. For
    /// each the tests run until one fails, and nothing else is said; tests in which the first runs out of
    /// time are left out.
    std::vector<std::string> hunt;
    /// It has rows: `worker_fd` holds the known mistakes, and nothing is said but what the sweep shows.
    Sweep sweep;
};

std::string write_request(const Request& request);
Request read_request(const std::string& json); ///< throws nlohmann::json::exception

} // namespace events

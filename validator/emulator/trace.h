#pragma once

#include "model/finding_kind.h"
#include "model/traffic.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// What the emulator has to say about kernels that ran, as plain values. A worker fills a Trace and hands it
/// out as JSON; nothing in it is trusted, since the learner's code runs in the same process.
namespace emulator {

using model::AccessKind;
using model::FindingKind;
using model::KernelTraffic;
using model::LineTraffic;
using model::Location;

/// One thread of a launch.
struct ThreadId {
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> thread{};

    bool operator==(const ThreadId&) const = default;
};

/// One kind of trouble at one place; repetitions are counted, the first one is described.
struct Finding {
    FindingKind kind{};
    std::string message{}; ///< one sentence, without the places
    std::string kernel{};
    ThreadId thread{};
    Location where{};
    Location other{};         ///< the second access of a race, the other barrier
    ThreadId other_thread{};  ///< who made the other access
    bool in_one_warp = false; ///< the two threads of a race belong to one warp
    std::uint64_t count = 1;
    std::vector<Location>
        callers{}; ///< the calls that brought `where` here, innermost first; found with the lines
};

/// What the program asked of the runtime, for exercises that forbid hidden synchronisation or allocation.
struct Counters {
    std::uint64_t launches = 0;
    std::uint64_t synchronizations = 0; ///< calls that make the host wait for the device
    std::uint64_t allocations = 0;
    std::uint64_t frees = 0;
    std::uint64_t default_stream_work = 0; ///< launches, copies and fills on the default stream

    bool operator==(const Counters&) const = default;
};

struct Trace {
    bool traced = false; ///< built with instrumentation: accesses were seen
    std::vector<Finding> findings;
    std::vector<KernelTraffic> kernels;
    Counters counters;
};

} // namespace emulator

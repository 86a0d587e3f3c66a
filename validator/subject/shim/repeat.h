#pragma once

#include "subject/shim/call.h"

#include <cstdint>
#include <time.h>

namespace subject::shim {

/// Calls that a worker makes by itself take no more time of all cores, and no longer, than this; one that
/// takes long is made less often.
constexpr std::int64_t repeats_cpu_ms = 150;
constexpr std::int64_t repeats_wall_ms = 500;

inline std::int64_t milliseconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec * 1'000 + time.tv_nsec / 1'000'000;
}

/// Makes the same call so many times, or as many as there is time for.
inline void make_before(void (*entry)(Call&), const Call& call, std::uint32_t times) {
    if (times == 0) return;
    const std::int64_t cpu_end = milliseconds(CLOCK_PROCESS_CPUTIME_ID) + repeats_cpu_ms;
    const std::int64_t wall_end = milliseconds(CLOCK_MONOTONIC) + repeats_wall_ms;
    for (std::uint32_t i = 0; i < times; ++i) {
        constexpr std::uint32_t often = 16; // to look costs a system call
        if ((i < often || i % often == 0) &&
            (milliseconds(CLOCK_PROCESS_CPUTIME_ID) >= cpu_end || milliseconds(CLOCK_MONOTONIC) >= wall_end))
            return;
        Call again = call;
        entry(again);
    }
}

} // namespace subject::shim

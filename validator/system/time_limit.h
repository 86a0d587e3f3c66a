#pragma once

#include "model/fate.h"
#include "system/time_used.h"

#include <chrono>
#include <optional>

namespace sys {

/// However busy the machine is, what has a time limit ends after so many times that by the wall clock.
inline constexpr int max_slowdown = 10;

/// Whether a process has used up the time for what it was asked to do. CPU time of all its threads counts,
/// and time in which it slept: in which none of them ran, nor was kept from running by other processes. Sleep
/// is counted only where it is proven, between two looks at which no thread was ready to run, less the time
/// for which its threads waited for a core in between.
class TimeLimit {
  public:
    using Clock = std::chrono::steady_clock;

    TimeLimit(std::chrono::nanoseconds limit, Clock::time_point start);

    /// When the process should be looked at next. A short call ends before the first look, and costs nothing.
    Clock::time_point next_look() const;

    /// Looks at the process, or at none: then only the wall clock counts.
    void look(Clock::time_point now, const TimeSource* process);

    /// Why its time is over, as of the last look; nothing while it is not.
    std::optional<model::OutOfTime> over() const;

    std::chrono::nanoseconds slept() const { return slept_; }

  private:
    struct Look {
        Clock::time_point at;
        std::chrono::nanoseconds cpu;
        std::optional<ThreadsSeen> threads;
    };
    void compare(const Look& seen);

    std::chrono::nanoseconds limit_;
    Clock::time_point start_;
    Clock::time_point now_;
    std::chrono::nanoseconds interval_;
    std::optional<Look> last_;
    std::chrono::nanoseconds ran_{0};
    std::chrono::nanoseconds slept_{0};
    bool blind_ = false; ///< nothing is known but the wall clock
};

} // namespace sys

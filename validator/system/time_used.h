#pragma once

#include "system/fd.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <time.h>

namespace sys {

/// What the threads of a process were doing when they were looked at.
struct ThreadsSeen {
    bool ready = false;                             ///< one of them was running, or ready to run
    std::uint64_t who = 0;                          ///< which threads: differs once one has begun or ended
    std::optional<std::chrono::nanoseconds> waited; ///< for a core, all together; where the kernel counts it
};

/// Tells what a process does with its time. An interface, so that tests can invent a process.
class TimeSource {
  public:
    virtual ~TimeSource() = default;
    /// CPU time of all threads since the start; nothing where the kernel does not say.
    virtual std::optional<std::chrono::nanoseconds> cpu() const = 0;
    /// Costs some microseconds a thread. Nothing where /proc does not say, or the process has ended.
    virtual std::optional<ThreadsSeen> threads() const = 0;
};

/// That of a running process.
class TimeUsed : public TimeSource {
  public:
    /// `pid` of no process: nothing is ever said.
    explicit TimeUsed(int pid);

    std::optional<std::chrono::nanoseconds> cpu() const override;
    std::optional<ThreadsSeen> threads() const override;

  private:
    bool known_ = false;
    clockid_t clock_{};
    Fd tasks_; ///< its folder of threads, which no other process can ever take over
};

} // namespace sys

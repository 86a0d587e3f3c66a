#pragma once

#include "system/shared_time.h"

#include <chrono>

namespace subject {

/// The time that all workers of a submission have together, in all its builds. It is counted as a call's is,
/// and for a build that is slower than the judged one by a known factor, divided by that.
class Budget {
  public:
    /// `spent_fd`: what the drivers of a submission share.
    Budget(int spent_fd, std::chrono::nanoseconds total, int slowdown)
        : spent_(spent_fd), total_(total), slowdown_(slowdown) {}

    void spend(std::chrono::nanoseconds time) { spent_.add(time / slowdown_); }
    bool used_up() const { return spent_.total() >= total_; }
    std::chrono::nanoseconds total() const { return total_; }

  private:
    sys::SharedTime spent_;
    std::chrono::nanoseconds total_;
    int slowdown_;
};

} // namespace subject

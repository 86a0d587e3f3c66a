#pragma once

#include "system/fd.h"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace sys {

/// A length of time that several processes add to. Only trusted processes map it.
class SharedTime {
  public:
    SharedTime();                ///< a new one: zero. Throws model::EnvironmentError.
    explicit SharedTime(int fd); ///< the one that another process made. Throws likewise.
    SharedTime(const SharedTime&) = delete;
    SharedTime& operator=(const SharedTime&) = delete;
    ~SharedTime();

    int fd() const { return fd_.get(); }
    void add(std::chrono::nanoseconds time) { count_->fetch_add(time.count(), std::memory_order_relaxed); }
    std::chrono::nanoseconds total() const {
        return std::chrono::nanoseconds(count_->load(std::memory_order_relaxed));
    }

  private:
    void map();

    Fd fd_;
    std::atomic<std::int64_t>* count_ = nullptr;
};

} // namespace sys

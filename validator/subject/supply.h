#pragma once

#include "subject/worker.h"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

namespace subject {

/// Does what it is given, one thing after the other, on a thread of its own.
class SerialExecutor {
  public:
    SerialExecutor();
    ~SerialExecutor(); ///< after all that it was given is done
    SerialExecutor(const SerialExecutor&) = delete;
    SerialExecutor& operator=(const SerialExecutor&) = delete;

    void give(std::function<void()> work);
    /// Returns when at most this many things are left to do.
    void wait(std::size_t max_left);

  private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> waiting_; ///< the front one is being done
    bool closing_ = false;
    std::thread thread_;
};

/// Workers for test cases that each want a fresh one: while a case runs, the next one's worker is started and
/// the last one's is ended, both on the other cores.
class Supply {
  public:
    /// Gets workers ready ahead of their time, as many as there are starters.
    void order(const WorkerProgram& program, std::size_t arena_bytes);

    /// A worker that was ordered with an arena of this size, else another one. Throws
    /// model::EnvironmentError.
    std::unique_ptr<Worker> take(const WorkerProgram& program, std::size_t arena_bytes);

    /// Ends a worker that is no longer wanted.
    void retire(std::unique_ptr<Worker> worker);

    /// Ends what was ordered and not taken, and returns when no worker is left.
    void close();

  private:
    void cancel();

    struct Order {
        std::future<std::unique_ptr<Worker>> worker;
        std::size_t arena_bytes = 0;
    };

    // The kernel ends a worker with the thread that started it, so these live as long as this object. Most of
    // a start is waiting for the kernel, so two take little more time than one.
    std::array<SerialExecutor, 2> starters_;
    SerialExecutor reaper_;
    std::deque<Order> orders_; ///< in the order of their starts
    std::size_t next_ = 0;     ///< which starter's turn it is
};

} // namespace subject

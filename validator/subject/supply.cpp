#include "subject/supply.h"

#include <utility>

namespace subject {

SerialExecutor::SerialExecutor() : thread_([this] { work(); }) {}

SerialExecutor::~SerialExecutor() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void SerialExecutor::give(std::function<void()> work) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(work));
    }
    changed_.notify_all();
}

void SerialExecutor::wait(std::size_t max_left) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() <= max_left; });
}

void SerialExecutor::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        std::function<void()> next = std::move(waiting_.front());
        lock.unlock();
        next();
        next = nullptr; // what it holds ends here as well
        lock.lock();
        waiting_.pop_front();
        changed_.notify_all();
    }
}

void Supply::order(const WorkerProgram& program, std::size_t arena_bytes) {
    while (orders_.size() < starters_.size()) {
        const auto promise = std::make_shared<std::promise<std::unique_ptr<Worker>>>();
        orders_.push_back({promise->get_future(), arena_bytes});
        starters_[next_++ % starters_.size()].give([promise, program, arena_bytes] {
            try {
                promise->set_value(std::make_unique<Worker>(program, arena_bytes));
            } catch (...) {
                promise->set_exception(std::current_exception());
            }
        });
    }
}

std::unique_ptr<Worker> Supply::take(const WorkerProgram& program, std::size_t arena_bytes) {
    if (!orders_.empty() && orders_.front().arena_bytes != arena_bytes) cancel();
    order(program, arena_bytes);
    Order first = std::move(orders_.front());
    orders_.pop_front();
    return first.worker.get();
}

void Supply::retire(std::unique_ptr<Worker> worker) {
    if (!worker) return;
    // Each still holds its memory.
    constexpr std::size_t max_waiting = 2;
    reaper_.wait(max_waiting - 1);
    reaper_.give(
        [holder = std::make_shared<std::unique_ptr<Worker>>(std::move(worker))] { holder->reset(); });
}

void Supply::cancel() {
    for (Order& order : orders_) {
        try {
            retire(order.worker.get());
        } catch (const std::exception&) {
            // It could not be started, and nobody wants it any more.
        }
    }
    orders_.clear();
}

void Supply::close() {
    cancel();
    reaper_.wait(0);
}

} // namespace subject

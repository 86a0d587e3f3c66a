#include "app/threads.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace app {

void for_each_index(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    std::mutex guard;
    std::exception_ptr failure;
    const auto take_turns = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                work(i);
            } catch (...) {
                const std::lock_guard lock(guard);
                if (!failure) failure = std::current_exception();
                next = count;
            }
        }
    };
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < threads; ++i)
        workers.emplace_back(take_turns);
    workers.clear();
    if (failure) std::rethrow_exception(failure);
}

} // namespace app

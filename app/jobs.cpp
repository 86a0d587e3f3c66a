#include "app/jobs.h"

#include <atomic>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace app {

using Clock = std::chrono::steady_clock;

void run_jobs(std::string_view what, const std::vector<Job>& jobs, Spent& spent,
              terminal::Progress& progress) {
    std::atomic<std::size_t> next = 0;
    std::mutex guard;
    std::exception_ptr failure;
    const auto work = [&] {
        for (std::size_t i = next++; i < jobs.size(); i = next++) {
            try {
                {
                    const std::lock_guard lock(guard);
                    progress.show(fmt::format("{}, {} of {}: {}", what, i + 1, jobs.size(), jobs[i].name));
                }
                const auto start = Clock::now();
                jobs[i].run();
                const auto time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
                const std::lock_guard lock(guard);
                *jobs[i].spent += time;
                spent.jobs.emplace_back(time, jobs[i].name);
            } catch (...) {
                const std::lock_guard lock(guard);
                if (!failure) failure = std::current_exception();
                next = jobs.size();
            }
        }
    };
    std::vector<std::jthread> workers;
    // One more than cores: a judgement often waits, for a process to end or for a call that never does.
    for (unsigned i = 0; i <= std::thread::hardware_concurrency(); ++i)
        workers.emplace_back(work);
    workers.clear();
    if (failure) std::rethrow_exception(failure);
}

} // namespace app

#include "app/jobs.h"

#include "app/threads.h"

#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace app {

using Clock = std::chrono::steady_clock;

void run_jobs(std::string_view what, const std::vector<Job>& jobs, Spent& spent,
              terminal::Progress& progress) {
    std::mutex guard;
    // One more than cores: a judgement often waits, for a process to end or for a call that never does.
    for_each_index(jobs.size(), std::thread::hardware_concurrency() + 1, [&](std::size_t i) {
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
    });
}

} // namespace app

#pragma once

#include "terminal/progress.h"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

/// A piece of a proof that may run beside others.
struct Job {
    std::string name;
    std::chrono::microseconds* spent; ///< added up over the jobs of a kind
    std::function<void()> run;
};

/// Where the time of all cores went.
struct Spent {
    std::chrono::microseconds sweeps{0};
    std::chrono::microseconds judgements{0};
    std::chrono::microseconds mutants{0};
    std::vector<std::pair<std::chrono::microseconds, std::string>> jobs; ///< each by itself
};

/// Runs all jobs on every core; the first failure of ours ends the rest and is thrown here.
void run_jobs(std::string_view what, const std::vector<Job>& jobs, Spent& spent,
              terminal::Progress& progress);

} // namespace app

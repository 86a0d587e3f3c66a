#include "app/commands.h"
#include "app/interrupts.h"
#include "app/judging.h"
#include "app/verify/proof.h"
#include "judge.h"
#include "model/errors.h"
#include "terminal/progress.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <mutex>
#include <thread>

namespace app {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> wanted_ids(const Context& context) {
    if (!context.options().ids.empty()) return context.options().ids;
    std::vector<std::string> ids;
    for (const model::Problem& problem : context.curriculum().problems)
        ids.push_back(problem.id);
    return ids;
}

struct Job {
    verify::Proof* proof;
    verify::Trial* trial;
};

/// Runs all jobs on every core; the first failure of ours ends the rest and is thrown here.
void run_jobs(const build::Workshop& workshop, const std::vector<Job>& jobs, std::uint64_t seed,
              int cancel_fd, terminal::Progress& progress) {
    std::atomic<std::size_t> next = 0;
    std::mutex guard;
    std::exception_ptr failure;
    const auto work = [&] {
        for (std::size_t i = next++; i < jobs.size(); i = next++) {
            try {
                {
                    const std::lock_guard lock(guard);
                    progress.show(fmt::format("{} of {}: {} {}", i + 1, jobs.size(),
                                              jobs[i].proof->problem.id, jobs[i].trial->name));
                }
                verify::run_trial(workshop, jobs[i].proof->problem, *jobs[i].trial, seed, cancel_fd);
            } catch (...) {
                const std::lock_guard lock(guard);
                if (!failure) failure = std::current_exception();
                next = jobs.size();
            }
        }
    };
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
        workers.emplace_back(work);
    workers.clear();
    if (failure) std::rethrow_exception(failure);
}

} // namespace

ExitCode run_verify(Context& context) {
    const auto start = Clock::now();
    const Interrupts interrupts;
    std::vector<verify::Proof> proofs;
    for (const std::string& id : wanted_ids(context)) {
        // The same check, and the same suggestion, as every other command makes for a name.
        Options one = context.options();
        one.ids = {id};
        proofs.push_back(verify::plan_proof(Context(one, context.layout(), {}).problem()));
    }
    std::vector<Job> jobs;
    for (verify::Proof& proof : proofs)
        for (verify::Trial& trial : proof.trials)
            jobs.push_back({&proof, &trial});

    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.layout(),
                                   {{}, [&](std::string_view text) { context.warn(text); }});
    const std::uint64_t seed = context.options().seed.value_or(fresh_seed());
    run_jobs(workshop, jobs, seed, interrupts.fd(), progress);
    progress.clear();

    bool sound = true;
    for (const verify::Proof& proof : proofs) {
        std::cout << verify::render(proof) << "\n";
        sound = sound && proof.sound();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::cout << fmt::format("{} problem{}, {} judgements in {:.1f} s, seed {}: {}\n", proofs.size(),
                             proofs.size() == 1 ? "" : "s", jobs.size(), seconds, seed,
                             sound ? "sound" : "NOT SOUND");
    return sound ? ExitCode::accepted : ExitCode::content;
}

} // namespace app

#include "app/commands.h"
#include "app/interrupts.h"
#include "app/judging.h"
#include "app/proving.h"
#include "app/verify/blanks.h"
#include "app/verify/boundaries.h"
#include "app/verify/proof.h"
#include "judge.h"
#include "model/errors.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <memory>

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

/// The same check, and the same suggestion, as every other command makes for a name.
Context context_of(const Context& context, const std::string& id) {
    Options one = context.options();
    one.ids = {id};
    return Context(one, context.layout(), context.call(), context.here());
}

/// Prints every blank that an author still has to fill in; true where there are some.
bool print_blanks(const Context& context, const std::vector<std::string>& ids) {
    std::size_t count = 0;
    for (const std::string& id : ids)
        for (const verify::Blank& blank :
             verify::find_blanks(context.layout(), context_of(context, id).problem_id())) {
            std::cout << fmt::format("{}:{}: {}\n", blank.file, blank.line, blank.what);
            ++count;
        }
    if (count > 0) std::cout << fmt::format("{} blank{} left to fill in\n", count, count == 1 ? "" : "s");
    return count > 0;
}

bool is_mistake(const verify::Trial& trial) {
    return trial.role == verify::Trial::Role::mistake;
}

/// All known mistakes, in the program that names them.
std::vector<Job> plan_mistakes(Work& work) {
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        for (verify::Trial& trial : proof.trials)
            if (is_mistake(trial))
                jobs.push_back({proof.problem.id + " " + trial.name, &work.spent.judgements,
                                [&] { verify::try_mistake(work.workshop, proof, trial, work.cancel_fd); }});
    return jobs;
}

/// Everything that is compiled. Parts of a hunt are the longest jobs, so they come first.
std::vector<Job> plan_builds(Work& work) {
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        for (verify::HuntPart& part : proof.hunt_parts)
            jobs.push_back({proof.problem.id + " mutants", &work.spent.mutants, [&] {
                                verify::run_part(work.workshop, proof.problem, *proof.kit, *proof.hunt, part,
                                                 work.seed, work.cancel_fd);
                            }});
    for (verify::Proof& proof : work.proofs)
        if (std::ranges::any_of(proof.trials, [&](const verify::Trial& trial) {
                return verify::needs_checking(proof, trial);
            }))
            jobs.push_back({proof.problem.id + " mistakes", &work.spent.judgements,
                            [&] { verify::build_checked(work.workshop, proof, work.cancel_fd); }});
    for (verify::Proof& proof : work.proofs)
        for (verify::Trial& trial : proof.trials)
            if (!is_mistake(trial))
                jobs.push_back({proof.problem.id + " " + trial.name, &work.spent.judgements, [&] {
                                    verify::run_trial(work.workshop, proof, trial, work.seed, work.cancel_fd);
                                }});
    return jobs;
}

/// Mistakes whose claims the first look did not show, and the boundary coverage of each suite.
std::vector<Job> plan_checks(Work& work) {
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        jobs.push_back({proof.problem.id + " boundaries", &work.spent.judgements, [&] {
                            proof.boundaries =
                                verify::boundaries(work.workshop, proof, work.seed, work.cancel_fd);
                        }});
    for (verify::Proof& proof : work.proofs)
        for (verify::Trial& trial : proof.trials)
            if (verify::needs_checking(proof, trial))
                jobs.push_back({proof.problem.id + " " + trial.name, &work.spent.judgements,
                                [&] { verify::check_mistake(work.workshop, proof, trial, work.cancel_fd); }});
    return jobs;
}

double seconds(std::chrono::microseconds time) {
    return static_cast<double>(time.count()) / 1e6;
}

void print_timings(const std::vector<verify::Proof>& proofs, Spent spent) {
    constexpr std::size_t max_shown = 8;
    std::size_t judgements = 0;
    std::size_t mutants = 0;
    std::chrono::microseconds building{0};
    for (const verify::Proof& proof : proofs) {
        judgements += proof.trials.size();
        for (const verify::HuntPart& part : proof.hunt_parts) {
            mutants += part.which.size();
            building += part.build;
        }
    }
    std::cout << fmt::format(
        "time of all cores: sweeps {:.1f} s, {} judgements {:.1f} s, {} mutants {:.1f} s ({:.1f} s of it "
        "building)\n",
        seconds(spent.sweeps), judgements, seconds(spent.judgements), mutants, seconds(spent.mutants),
        seconds(building));
    std::ranges::sort(spent.jobs, std::greater<>());
    std::cout << "longest:";
    for (std::size_t i = 0; i < std::min<std::size_t>(spent.jobs.size(), max_shown); ++i)
        std::cout << fmt::format("{} {} {:.1f} s", i == 0 ? "" : ",", spent.jobs[i].second,
                                 seconds(spent.jobs[i].first));
    std::cout << "\n";
}

} // namespace

ExitCode run_verify(Context& context) {
    const auto start = Clock::now();
    const std::vector<std::string> ids = wanted_ids(context);
    const bool blank = print_blanks(context, ids);

    const Interrupts interrupts;
    std::vector<verify::Proof> proofs;
    proofs.reserve(ids.size());
    for (const std::string& id : ids)
        proofs.push_back(verify::plan_proof(context_of(context, id).problem(), context.options().mutants,
                                            context.layout().schemas));
    if (blank) {
        for (const verify::Proof& proof : proofs)
            for (const std::string& gap : proof.missing)
                std::cout << "gap: " << gap << "\n";
        return ExitCode::content;
    }

    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.layout(),
                                   {{}, [&](std::string_view text) { context.warn(text); }});
    const kit::Kits kits(workshop);
    std::vector<std::unique_ptr<kit::Kit>> opened;
    for (verify::Proof& proof : proofs)
        proof.kit =
            opened.emplace_back(std::make_unique<kit::Kit>(kits, proof.problem, interrupts.fd())).get();
    const Options& options = context.options();
    Work work{workshop, proofs, options.seed.value_or(fresh_seed()), interrupts.fd(), {}};
    const bool measures = options.accept && !options.seed && !options.seeds;
    if (measures) measure(work, progress);
    for (verify::Proof& proof : proofs)
        proof.mistakes_seed = mistakes_seed(options, proof.problem, work.seed);
    run_jobs("known mistakes", plan_mistakes(work), work.spent, progress);
    run_jobs("programs to build", plan_builds(work), work.spent, progress);
    run_jobs("suites and mistakes to check", plan_checks(work), work.spent, progress);
    if (options.seeds) try_seeds(options, work, progress);
    progress.clear();
    if (options.accept) accept(work);

    bool sound = true;
    std::size_t judgements = 0;
    for (const verify::Proof& proof : proofs) {
        std::cout << verify::render(proof) << "\n";
        sound = sound && proof.sound();
        judgements += proof.trials.size();
    }
    if (context.options().timings) print_timings(proofs, work.spent);
    std::cout << fmt::format("{} problem{}, {} judgements in {:.1f} s, seed {}: {}\n", proofs.size(),
                             proofs.size() == 1 ? "" : "s", judgements,
                             std::chrono::duration<double>(Clock::now() - start).count(), work.seed,
                             sound ? "sound" : "NOT SOUND");
    return sound ? ExitCode::accepted : ExitCode::content;
}

} // namespace app

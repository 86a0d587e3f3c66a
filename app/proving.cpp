#include "app/proving.h"

#include "app/verify/measure.h"
#include "app/verify/mistake_program.h"
#include "app/verify/witnesses.h"
#include "catalogue/kills.h"
#include "model/errors.h"
#include "workspace/write.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <set>

namespace app {
namespace {

void write(const model::Problem& problem) {
    workspace::write(problem.folder, "kills.json", catalogue::write_kills(problem));
}

using Mistakes = std::set<const model::Mistake*>;

bool has_wanted(const verify::Proof& proof, const Mistakes& wanted) {
    return std::ranges::any_of(proof.problem.mistakes,
                               [&](const model::Mistake& mistake) { return wanted.contains(&mistake); });
}

/// Those that are to be measured: all, or those of which kills.json says nothing yet.
Mistakes mistakes_of(const std::vector<verify::Proof>& proofs, bool only_new) {
    Mistakes wanted;
    for (const verify::Proof& proof : proofs)
        for (const model::Mistake& mistake : proof.problem.mistakes)
            if (!only_new || (mistake.always.empty() && mistake.sometimes.empty() && mistake.finds.empty()))
                wanted.insert(&mistake);
    return wanted;
}

/// Sweeps the wanted mistakes in the judged build. `take` gets what came of one.
template <class Plan, class Take>
std::vector<Job> plan_sweeps(Work& work, const Mistakes& wanted, Plan plan, Take take) {
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        for (model::Mistake& mistake : proof.problem.mistakes)
            if (wanted.contains(&mistake))
                jobs.push_back({proof.problem.id + " " + mistake.name, &work.spent.sweeps, [&, plan, take] {
                                    const auto [seeds, without] = plan(proof, mistake);
                                    take(proof, mistake,
                                         verify::sweep(proof, mistake, seeds, without, work.cancel_fd));
                                }});
    return jobs;
}

/// The wanted mistakes that have to be looked at in the checked build.
std::vector<const model::Mistake*> to_be_checked(const verify::Proof& proof, const Mistakes& wanted) {
    std::vector<const model::Mistake*> list;
    for (const model::Mistake& mistake : proof.problem.mistakes)
        if (wanted.contains(&mistake) && verify::needs_checked_build(mistake)) list.push_back(&mistake);
    return list;
}

std::vector<Job> plan_checked_builds(Work& work, const Mistakes& wanted) {
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        if (!to_be_checked(proof, wanted).empty())
            jobs.push_back({proof.problem.id, &work.spent.sweeps, [&] {
                                proof.checked =
                                    verify::build_checked(work.workshop, proof.problem,
                                                          to_be_checked(proof, wanted), work.cancel_fd);
                            }});
    return jobs;
}

std::vector<Job> plan_checked_runs(Work& work, const Mistakes& wanted) {
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        for (model::Mistake& mistake : proof.problem.mistakes)
            if (wanted.contains(&mistake) && verify::needs_checked_build(mistake))
                jobs.push_back({proof.problem.id + " " + mistake.name, &work.spent.sweeps, [&] {
                                    verify::add_checked(
                                        verify::run_checked(work.workshop, proof, mistake, work.cancel_fd),
                                        mistake);
                                }});
    return jobs;
}

/// The first of the seeds that were asked for: one that kills.json was not made from, unless it is named.
std::uint64_t first_seed(const Options& options, const model::Problem& problem) {
    return options.seed.value_or(problem.kill_seeds.first + problem.kill_seeds.count);
}

/// Reference and accepted variants, in all builds.
std::vector<Job> plan_right_programs(const Options& options, Work& work) {
    using Role = verify::Trial::Role;
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        for (verify::Trial& trial : proof.trials)
            if (trial.role == Role::reference || trial.role == Role::accepted)
                jobs.push_back({proof.problem.id + " " + trial.name, &work.spent.sweeps, [&] {
                                    verify::try_right_program(work.workshop, proof, trial,
                                                              first_seed(options, proof.problem),
                                                              *options.seeds, work.cancel_fd);
                                }});
    return jobs;
}

/// What kills.json said when a mistake was judged may be why it was not recognised: judges those again that
/// were contradicted. What was found before stays said.
std::vector<Job> plan_repeats(Work& work) {
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        for (verify::Trial& trial : proof.trials)
            if (!trial.contradictions.empty() && !trial.gaps.empty())
                jobs.push_back({proof.problem.id + " " + trial.name, &work.spent.judgements, [&] {
                                    const auto found = trial.contradictions;
                                    verify::run_trial(work.workshop, proof, trial, proof.mistakes_seed,
                                                      work.cancel_fd);
                                    trial.contradictions = found;
                                }});
    return jobs;
}

/// Witnesses that are to be measured, by the problem that they belong to.
std::vector<Job> plan_witness_measurements(Work& work, bool only_new) {
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        for (model::Witness& witness : proof.problem.witnesses)
            if (!only_new || witness.refused_by.empty())
                jobs.push_back({proof.problem.id + " " + witness.name, &work.spent.judgements, [&] {
                                    witness.refused_by = verify::tests_that_refuse(
                                        work.workshop, proof, witness, verify::measured_seeds.first,
                                        work.cancel_fd);
                                }});
    return jobs;
}

} // namespace

std::uint64_t mistakes_seed(const Options& options, const model::Problem& problem, std::uint64_t fresh) {
    if (options.seed) return *options.seed;
    return problem.kill_seeds.count > 0 ? problem.kill_seeds.first : fresh;
}

void measure(Work& work, bool only_new, terminal::Progress& progress) {
    const Mistakes wanted = mistakes_of(work.proofs, only_new);
    if (wanted.empty()) return;
    run_jobs(
        "measuring",
        plan_sweeps(
            work, wanted,
            [](const verify::Proof&, const model::Mistake&) {
                const model::KillSeeds& seeds = verify::measured_seeds;
                return std::pair(verify::SweepPlan{seeds.first, verify::first_look, seeds.count},
                                 std::vector<std::string>{});
            },
            [](const verify::Proof& proof, model::Mistake& mistake, const std::vector<events::Swept>& swept) {
                verify::take_over(swept, proof.problem.kill_seeds.count > 0, mistake);
            }),
        work.spent, progress);
    std::vector<bool> checked;
    for (const verify::Proof& proof : work.proofs)
        checked.push_back(!to_be_checked(proof, wanted).empty());
    run_jobs("checked builds", plan_checked_builds(work, wanted), work.spent, progress);
    run_jobs("measuring the checked build", plan_checked_runs(work, wanted), work.spent, progress);
    for (std::size_t i = 0; i < work.proofs.size(); ++i) {
        if (!has_wanted(work.proofs[i], wanted)) continue;
        model::Problem& problem = work.proofs[i].problem;
        const bool had_checked = only_new && problem.kill_seeds.checked > 0;
        problem.kill_seeds = verify::measured_seeds;
        if (!checked[i] && !had_checked) problem.kill_seeds.checked = 0;
        work.proofs[i].checked.reset(); // the checks of the proof may need it for other mistakes
        write(problem);
    }
}

void measure_witnesses(Work& work, bool only_new, terminal::Progress& progress) {
    const std::vector<Job> jobs = plan_witness_measurements(work, only_new);
    if (jobs.empty()) return;
    run_jobs("measuring witnesses", jobs, work.spent, progress);
    for (const verify::Proof& proof : work.proofs)
        if (!proof.problem.witnesses.empty()) write(proof.problem);
}

void try_seeds(const Options& options, Work& work, terminal::Progress& progress) {
    const auto count = static_cast<std::uint32_t>(*options.seeds);
    run_jobs(
        "more seeds",
        plan_sweeps(
            work, mistakes_of(work.proofs, false),
            [&](const verify::Proof& proof, const model::Mistake& mistake) {
                std::vector<std::string> without = mistake.sometimes;
                without.insert(without.end(), mistake.checked.begin(), mistake.checked.end());
                const std::uint64_t first = first_seed(options, proof.problem);
                return std::pair(verify::SweepPlan{first, count, count}, std::move(without));
            },
            [](verify::Proof& proof, const model::Mistake& mistake, const std::vector<events::Swept>& swept) {
                const auto trial = std::ranges::find(proof.trials, &mistake, &verify::Trial::mistake);
                for (const verify::Contradiction& one : verify::contradictions(mistake, swept))
                    trial->by_other_seeds.push_back(one);
            }),
        work.spent, progress);
    run_jobs("right programs with more seeds", plan_right_programs(options, work), work.spent, progress);
}

void accept(Work& work, terminal::Progress& progress) {
    for (verify::Proof& proof : work.proofs) {
        const std::vector<verify::Contradiction> found = verify::contradictions_of(proof);
        for (const verify::Contradiction& one : found)
            verify::move_to_sometimes(one, proof.problem);
        if (!found.empty() || !proof.faults.empty()) write(proof.problem);
        proof.accepted = true;
    }
    run_jobs("mistakes that were moved", plan_repeats(work), work.spent, progress);
}

} // namespace app

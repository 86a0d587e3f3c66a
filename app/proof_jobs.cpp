#include "app/proof_jobs.h"

#include "app/verify/boundaries.h"
#include "app/verify/witnesses.h"

#include <algorithm>
#include <iterator>

namespace app {
namespace {

using Role = verify::Trial::Role;

/// Files of the wanted kind, judged as submissions.
template <class Wanted>
std::vector<Job> plan_submissions(Work& work, Wanted wanted) {
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        for (verify::Trial& trial : proof.trials)
            if (wanted(trial))
                jobs.push_back({proof.problem.id + " " + trial.name, &work.spent.judgements, [&] {
                                    verify::run_trial(work.workshop, proof, trial, work.seed, work.cancel_fd);
                                }});
    return jobs;
}

} // namespace

std::vector<Job> plan_references(Work& work) {
    return plan_submissions(work, [](const verify::Trial& trial) { return trial.role == Role::reference; });
}

std::vector<Job> plan_mistakes(Work& work) {
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        for (verify::Trial& trial : proof.trials)
            if (trial.role == Role::mistake)
                jobs.push_back({proof.problem.id + " " + trial.name, &work.spent.judgements,
                                [&] { verify::try_mistake(work.workshop, proof, trial, work.cancel_fd); }});
    return jobs;
}

std::vector<Job> plan_witnesses(Work& work) {
    std::vector<Job> jobs;
    for (verify::Proof& proof : work.proofs)
        for (verify::Trial& trial : proof.trials)
            if (trial.role == Role::witness)
                jobs.push_back({proof.problem.id + " " + trial.name, &work.spent.judgements,
                                [&] { verify::try_witness(work.workshop, proof, trial, work.cancel_fd); }});
    return jobs;
}

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
    std::ranges::move(plan_submissions(work,
                                       [](const verify::Trial& trial) {
                                           return trial.role == Role::starter || trial.role == Role::accepted;
                                       }),
                      std::back_inserter(jobs));
    return jobs;
}

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

} // namespace app

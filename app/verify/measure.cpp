#include "app/verify/measure.h"

#include "app/verify/mistake_program.h"
#include "judge.h"
#include "model/errors.h"
#include "supervisor/driver.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <variant>

namespace verify {
namespace {

/// A test with an endless loop in it takes its time with every seed.
constexpr std::chrono::hours max_sweep_time{2};

events::Request request_for(const model::Problem& problem, const model::Mistake& mistake,
                            const SweepPlan& plan, const std::vector<std::string>& without) {
    events::Request request;
    request.limits = problem.limits;
    events::SweepRow row{mistake.name, {}};
    for (const model::TestSpec& test : problem.tests)
        if (std::ranges::find(without, test.name) == without.end()) row.tests.push_back(test.name);
    request.sweep = {plan.first, plan.look, plan.count, {std::move(row)}};
    return request;
}

CheckedRun run_of(const model::Judgement& judgement, model::Language language) {
    CheckedRun run;
    for (const model::TestResult& test : judgement.tests)
        if (judgement.compile.ok && test.verdict != model::Verdict::accepted) run.failed.push_back(test.name);
    std::set<model::FindingKind> kinds;
    if (language == model::Language::cuda)
        for (const model::SanitizerFinding& finding : judgement.sanitizer.findings)
            if (const auto* kind = std::get_if<model::FindingKind>(&finding.kind)) kinds.insert(*kind);
    run.finds.assign(kinds.begin(), kinds.end());
    return run;
}

} // namespace

std::vector<events::Swept> sweep(const Proof& proof, const model::Mistake& mistake, const SweepPlan& plan,
                                 const std::vector<std::string>& without, int cancel_fd) {
    const std::string what = "cannot measure the mistake " + mistake.name + " of " + proof.problem.id + ": ";
    const events::DriverRun run =
        supervisor::run_driver({.driver = "driver of " + proof.problem.id,
                                .driver_fd = proof.kit->driver().fd.get(),
                                .worker_fd = proof.kit->mistakes().fd.get(),
                                .request = request_for(proof.problem, mistake, plan, without),
                                .cancel_fd = cancel_fd,
                                .patience = max_sweep_time});
    if (run.interrupted) throw judge::Interrupted{};
    if (!run.complete) throw model::EnvironmentError(what + run.trouble + "; try again");
    std::vector<events::Swept> swept;
    for (const events::Event& event : run.events)
        if (const auto* one = std::get_if<events::Swept>(&event)) swept.push_back(*one);
    return swept;
}

void try_right_program(const build::Workshop& workshop, const Proof& proof, Trial& trial, std::uint64_t first,
                       std::uint64_t count, int cancel_fd) {
    for (std::uint64_t seed = first; seed < first + count && trial.gaps.empty(); ++seed) {
        Trial once{.role = trial.role, .name = trial.name};
        run_trial(workshop, proof, once, seed, cancel_fd);
        if (!once.gaps.empty()) trial.gaps.push_back(fmt::format("with seed {} {}", seed, once.gaps.front()));
    }
}

bool needs_checked_build(const model::Mistake& mistake) {
    return mistake.always.empty() || !mistake.finds.empty();
}

std::vector<CheckedRun> run_checked(const build::Workshop& workshop, const Proof& proof,
                                    const model::Mistake& mistake, int cancel_fd) {
    judge::Ready ready;
    if (proof.checked) ready = {mistake.name, &proof.kit->mistakes(), &*proof.checked};
    model::Submission submission;
    submission.shown_as = mistake.file.string();
    submission.files.push_back({proof.problem.files.front(), mistake.program});
    std::vector<CheckedRun> runs;
    for (std::uint32_t i = 0; i < measured_seeds.checked; ++i) {
        const model::Judgement judgement = judge::judge(workshop, {proof.problem,
                                                                   *proof.kit,
                                                                   submission,
                                                                   true,
                                                                   measured_seeds.first + i,
                                                                   judge::known({}),
                                                                   cancel_fd,
                                                                   {},
                                                                   ready});
        if (!judgement.sanitizer.ran)
            throw model::EnvironmentError("cannot measure the mistake " + mistake.name + " of " +
                                          proof.problem.id +
                                          " in the checked build: " + judgement.sanitizer.reason +
                                          "; engine doctor says what is missing");
        runs.push_back(run_of(judgement, proof.problem.language));
    }
    return runs;
}

} // namespace verify

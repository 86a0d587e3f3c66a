#include "app/verify/proof.h"

#include "app/verify/boundaries.h"
#include "app/verify/completeness.h"
#include "app/verify/measure.h"
#include "app/verify/mistake_program.h"
#include "app/verify/trial_gaps.h"
#include "judge.h"
#include "model/errors.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <set>

namespace verify {
namespace {

namespace fs = std::filesystem;
using model::Verdict;
using Names = std::vector<std::string>;

/// A test that takes the reference longer is run with a mistake that does not fail it only where all is
/// looked at, or where the suite with every mistake is short: what a busy machine holds up for a moment is no
/// long test.
constexpr std::chrono::milliseconds long_test{20};
constexpr std::chrono::milliseconds short_work{6000};
/// By so many failing tests a mistake has to be recognised.
constexpr std::size_t tests_to_recognise = 4;

std::string read_text(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw model::ContentError(file.string(), "", "the file is missing");
    return {std::istreambuf_iterator<char>(stream), {}};
}

model::Submission submission_of(const model::Problem& problem, const Trial& trial) {
    model::Submission submission;
    const auto add = [&](const std::string& name, const fs::path& file) {
        if (submission.shown_as.empty()) submission.shown_as = file.string();
        submission.files.push_back({name, read_text(file)});
    };
    switch (trial.role) {
    case Trial::Role::starter:
        for (std::size_t i = 0; i < problem.files.size(); ++i)
            add(problem.files[i], problem.starters[i]);
        break;
    case Trial::Role::reference:
        for (std::size_t i = 0; i < problem.files.size(); ++i)
            add(problem.files[i], problem.reference[i]);
        break;
    case Trial::Role::mistake:
        submission.shown_as = trial.mistake->file.string();
        submission.files.push_back({problem.files.front(), trial.mistake->program});
        break;
    case Trial::Role::witness:
        submission.shown_as = trial.witness->file.string();
        submission.files.push_back({problem.files.front(), trial.witness->program});
        break;
    case Trial::Role::accepted:
        for (const fs::path& file : problem.accepted)
            if (file.stem() == trial.name) add(problem.files.front(), file);
        break;
    }
    return submission;
}

/// Judges the tests `only`, or all; of the others, what is known already stays.
void judge_trial(const build::Workshop& workshop, const Proof& proof, Trial& trial, std::uint64_t seed,
                 int cancel_fd, const judge::Ready& ready, const std::vector<std::string>& only) {
    judge::Request request{proof.problem, *proof.kit, submission_of(proof.problem, trial),
                           true,          seed,       judge::known({}),
                           cancel_fd,     only,       ready};
    request.thorough = trial.thorough;
    request.named = trial.role != Trial::Role::witness; // a large test with every mistake takes minutes
    model::Judgement judgement = judge::judge(workshop, request);
    for (const model::TestResult& test : trial.judgement.tests)
        if (std::ranges::find(judgement.tests, test.name, &model::TestResult::name) == judgement.tests.end())
            judgement.tests.push_back(test);
    trial.judgement = std::move(judgement);
    trial.gaps = gaps_of(trial);
    trial.contradictions = contradictions_of(trial, seed);
}

/// What the reference took for a test; as good as for ever where it did not run it.
std::chrono::microseconds duration(const Proof& proof, const std::string& test) {
    const auto reference = std::ranges::find(proof.trials, Trial::Role::reference, &Trial::role);
    const std::vector<model::TestResult>& tests = reference->judgement.tests;
    const auto found = std::ranges::find(tests, test, &model::TestResult::name);
    return found == tests.end() ? std::chrono::microseconds::max() : found->duration;
}

/// The tests that are too long to be run with every mistake.
std::set<std::string> long_tests(const Proof& proof) {
    std::set<std::string> names;
    std::chrono::microseconds whole{0};
    for (const model::TestSpec& test : proof.problem.tests) {
        const std::chrono::microseconds took = duration(proof, test.name);
        if (took > long_test) names.insert(test.name);
        whole += std::min<std::chrono::microseconds>(took, short_work);
    }
    const auto mistakes = static_cast<std::chrono::microseconds::rep>(proof.problem.mistakes.size());
    return whole * mistakes < short_work ? std::set<std::string>{} : names;
}

/// The quickest of the tests that it fails.
Names tests_that_recognise(const Proof& proof, const model::Mistake& mistake) {
    Names tests;
    for (const std::string& test : mistake.always)
        if (surely_fails(mistake, test)) tests.push_back(test);
    std::ranges::stable_sort(tests, {}, [&](const std::string& test) { return duration(proof, test); });
    if (tests.size() > tests_to_recognise) tests.resize(tests_to_recognise);
    return tests;
}

/// Runs the tests that the mistake fails as far as their first finding, and the short ones of the others.
void sweep_trial(const Proof& proof, Trial& trial, int cancel_fd) {
    Names without;
    for (const std::string& test : long_tests(proof))
        if (!surely_fails(*trial.mistake, test)) without.push_back(test);
    const SweepPlan once{.first = proof.mistakes_seed, .look = 1, .count = 1};
    for (const events::Swept& swept : sweep(proof, *trial.mistake, once, without, cancel_fd))
        trial.judgement.tests.push_back(
            {.name = swept.test,
             .verdict = swept.tally.failed > 0 ? Verdict::run_time_error : Verdict::accepted});
}

} // namespace

model::Submission reference_of(const model::Problem& problem) {
    return submission_of(problem, {.role = Trial::Role::reference, .name = "reference"});
}

std::set<std::string> failed_tests(const model::Judgement& judgement) {
    std::set<std::string> failed;
    if (!judgement.compile.ok) return failed; // nothing was run
    for (const model::TestResult& test : judgement.tests)
        if (test.verdict != Verdict::accepted) failed.insert(test.name);
    return failed;
}

std::vector<std::string> Proof::gaps() const {
    std::vector<std::string> list = faults;
    std::ranges::copy(missing, std::back_inserter(list));
    if (boundaries) std::ranges::copy(boundary_gaps(*boundaries), std::back_inserter(list));
    bool whole = hunt.has_value();
    for (const HuntPart& part : hunt_parts) {
        if (part.trouble.empty()) continue;
        list.push_back("mutants: " + part.trouble);
        whole = false;
    }
    if (whole) std::ranges::copy(verify::gaps(*hunt, problem), std::back_inserter(list));
    return list;
}

bool Proof::seed_is_known() const {
    return problem.kill_seeds.count == 0 || problem.kill_seeds.contain(mistakes_seed);
}

bool Proof::sound() const {
    const bool agrees = accepted || !seed_is_known();
    const bool measured = std::ranges::none_of(
        problem.witnesses, [](const model::Witness& witness) { return witness.refused_by.empty(); });
    return measured && blanks.empty() && gaps().empty() &&
           std::ranges::all_of(trials, [&](const Trial& trial) {
               return trial.gaps.empty() && (agrees || trial.contradictions.empty());
           });
}

std::vector<Contradiction> contradictions_of(const Proof& proof) {
    std::vector<Contradiction> list;
    for (const Trial& trial : proof.trials)
        for (const auto* found : {&trial.contradictions, &trial.by_other_seeds})
            for (const Contradiction& one : *found)
                if (std::ranges::none_of(list, [&](const Contradiction& known) {
                        return known.mistake == one.mistake && known.test == one.test;
                    }))
                    list.push_back(one);
    return list;
}

Proof plan_proof(model::Problem problem, bool mutants, const fs::path& schemas) {
    Proof proof;
    proof.problem = std::move(problem);
    proof.missing = missing_parts(proof.problem);
    if (mutants) {
        proof.hunt = plan_hunt(proof.problem, schemas);
        proof.hunt_parts = parts(*proof.hunt);
    }
    proof.trials.push_back({.role = Trial::Role::starter, .name = "starter"});
    proof.trials.push_back({.role = Trial::Role::reference, .name = "reference"});
    for (const fs::path& file : proof.problem.accepted)
        proof.trials.push_back(
            {.role = Trial::Role::accepted, .name = file.stem().string(), .thorough = true});
    for (const model::Mistake& mistake : proof.problem.mistakes)
        proof.trials.push_back({.role = Trial::Role::mistake, .name = mistake.name, .mistake = &mistake});
    for (const model::Witness& witness : proof.problem.witnesses)
        proof.trials.push_back({.role = Trial::Role::witness,
                                .name = witness.name,
                                .thorough = witness.thorough,
                                .witness = &witness});
    return proof;
}

void keep_witnesses_only(Proof& proof) {
    proof.witnesses_only = true;
    proof.missing.clear();
    std::erase_if(proof.trials, [](const Trial& trial) { return trial.role != Trial::Role::witness; });
}

void run_trial(const build::Workshop& workshop, const Proof& proof, Trial& trial, std::uint64_t seed,
               int cancel_fd, const Names& only) {
    trial.judgement = {};
    judge_trial(workshop, proof, trial, seed, cancel_fd, {}, only);
    trial.whole = true;
}

void try_mistake(const build::Workshop& workshop, const Proof& proof, Trial& trial, int cancel_fd) {
    const auto judge_in = [&](const Names& only) {
        judge_trial(workshop, proof, trial, proof.mistakes_seed, cancel_fd,
                    {trial.name, &proof.kit->mistakes()}, only);
    };
    if (proof.thorough) return judge_in({});
    const Names recognising = tests_that_recognise(proof, *trial.mistake);
    if (recognising.empty()) return judge_in({});
    sweep_trial(proof, trial, cancel_fd);
    judge_in(recognising);
    const bool judged_alone = trial.mistake->finds.empty() && trial.mistake->checked.empty();
    if (judged_alone && (!trial.gaps.empty() || !is_nameable(trial.judgement))) judge_in({});
}

bool needs_checking(const Proof& proof, const Trial& trial) {
    if (trial.role != Trial::Role::mistake || trial.whole) return false;
    const bool typed = proof.problem.kill_seeds.count == 0; // which build a test fails in is not known
    return !trial.gaps.empty() || !trial.mistake->finds.empty() || !trial.mistake->checked.empty() ||
           (typed && !trial.contradictions.empty());
}

void build_checked(const build::Workshop& workshop, Proof& proof, int cancel_fd) {
    std::vector<const model::Mistake*> which;
    for (const Trial& trial : proof.trials)
        if (needs_checking(proof, trial)) which.push_back(trial.mistake);
    proof.checked = build_checked(workshop, proof.problem, which, cancel_fd);
}

void check_mistake(const build::Workshop& workshop, const Proof& proof, Trial& trial, int cancel_fd) {
    const std::uint64_t seed = proof.mistakes_seed;
    const auto judge_in = [&](const Names& only) {
        judge_trial(workshop, proof, trial, seed, cancel_fd,
                    {trial.name, &proof.kit->mistakes(), &*proof.checked}, only);
    };
    if (proof.checked) {
        Names few = tests_that_recognise(proof, *trial.mistake);
        std::ranges::copy(trial.mistake->checked, std::back_inserter(few));
        if (!proof.thorough) judge_in(few);
        if (proof.thorough || !trial.gaps.empty()) judge_in(trial.mistake->always);
    }
    if (!proof.checked || !trial.gaps.empty() || (proof.seed_is_known() && !trial.contradictions.empty()))
        run_trial(workshop, proof, trial, seed, cancel_fd);
}

} // namespace verify

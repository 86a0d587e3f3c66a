#include "app/verify/witnesses.h"

#include "app/verify/trial_gaps.h"

#include <fmt/format.h>

namespace verify {
namespace {

using model::Verdict;
using Names = std::vector<std::string>;

std::string_view depth(const model::Witness& witness) {
    return witness.thorough ? "thorough" : "graded";
}

/// The file as the author knows it.
std::string place(const model::Witness& witness) {
    const std::filesystem::path& file = witness.file;
    return "problems/" + file.parent_path().parent_path().filename().string() + "/witnesses/" +
           file.filename().string();
}

bool is_judged(const model::Judgement& judgement) {
    return judgement.verdict != Verdict::compile_error && judgement.verdict != Verdict::judge_error;
}

Trial trial_of(const model::Witness& witness) {
    return {.role = Trial::Role::witness,
            .name = witness.name,
            .thorough = witness.thorough,
            .witness = &witness};
}

} // namespace

std::vector<std::string> witness_gaps(const model::Witness& witness, const model::Judgement& judgement) {
    if (!is_judged(judgement))
        return {fmt::format("{}: {}: {}", place(witness), model::words(judgement.verdict),
                            first_trouble(judgement))};
    if (judgement.verdict == Verdict::accepted)
        return {fmt::format("{} is accepted by a {} run", place(witness), depth(witness))};
    Names gaps;
    const std::set<std::string> failed = failed_tests(judgement);
    for (const std::string& test : witness.refused_by)
        if (!failed.contains(test))
            gaps.push_back(
                fmt::format("{} is not refused by '{}', which kills.json names: measure again with "
                            "--accept",
                            place(witness), test));
    return gaps;
}

void try_witness(const build::Workshop& workshop, const Proof& proof, Trial& trial, int cancel_fd) {
    const model::Witness& witness = *trial.witness;
    run_trial(workshop, proof, trial, proof.mistakes_seed, cancel_fd, witness.refused_by);
    if (!witness.refused_by.empty() && trial.judgement.verdict == Verdict::accepted)
        run_trial(workshop, proof, trial, proof.mistakes_seed, cancel_fd);
    if (!witness.thorough || !proof.thorough || !is_judged(trial.judgement)) return;
    Trial graded = trial_of(witness);
    graded.thorough = false;
    run_trial(workshop, proof, graded, proof.mistakes_seed, cancel_fd);
    if (is_judged(graded.judgement) && graded.judgement.verdict != Verdict::accepted)
        trial.gaps.push_back(fmt::format(
            "{} is refused by a graded run already: take \"Depth: thorough\" out", place(witness)));
}

std::vector<std::string> tests_that_refuse(const build::Workshop& workshop, const Proof& proof,
                                           const model::Witness& witness, std::uint64_t first,
                                           int cancel_fd) {
    Names tests;
    for (std::uint64_t seed = first; seed < first + witness_seeds; ++seed) {
        Trial trial = trial_of(witness);
        run_trial(workshop, proof, trial, seed, cancel_fd, tests);
        if (!is_judged(trial.judgement)) return {};
        const std::set<std::string> failed = failed_tests(trial.judgement);
        tests.assign(failed.begin(), failed.end());
        if (tests.empty()) return {};
    }
    return tests;
}

} // namespace verify

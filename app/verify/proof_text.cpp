#include "app/verify/boundaries.h"
#include "app/verify/proof.h"

#include <algorithm>
#include <fmt/format.h>

namespace verify {
namespace {

std::string_view role_name(Trial::Role role) {
    switch (role) {
    case Trial::Role::starter: return "starter";
    case Trial::Role::reference: return "reference";
    case Trial::Role::accepted: return "accepted";
    case Trial::Role::mistake: return "mistake";
    case Trial::Role::witness: return "witness";
    }
    return "";
}

/// "  x" where the test kills the mistake, "  ." where it passes, and nothing where it was not run.
std::string_view cell(const model::Judgement& judgement, const std::string& test) {
    const auto found = std::ranges::find(judgement.tests, test, &model::TestResult::name);
    if (found == judgement.tests.end() || !judgement.compile.ok) return "   ";
    return found->verdict == model::Verdict::accepted ? "  ." : "  x";
}

/// Rows are mistakes, columns the tests by number.
std::string kill_matrix(const Proof& proof) {
    std::size_t width = 0;
    for (const Trial& trial : proof.trials)
        width = std::max(width, trial.name.size());
    std::string text = fmt::format("  {:<{}} ", "killed by test", width);
    for (std::size_t i = 1; i <= proof.problem.tests.size(); ++i)
        text += fmt::format("{:>3}", i);
    text += "\n";
    for (const Trial& trial : proof.trials) {
        if (trial.role != Trial::Role::mistake) continue;
        text += fmt::format("  {:<{}} ", trial.name, width);
        for (const model::TestSpec& test : proof.problem.tests)
            text += cell(trial.judgement, test.name);
        text += "\n";
    }
    for (std::size_t i = 0; i < proof.problem.tests.size(); ++i)
        text += fmt::format("  {:>3}  {}\n", i + 1, proof.problem.tests[i].name);
    return text;
}

/// A test that neither a mistake nor a witness fails, whatever the seed, proves nothing that is known.
std::vector<std::string> idle_tests(const Proof& proof) {
    std::vector<std::string> idle;
    const auto may_fail = [](const Trial& trial, const std::string& test) {
        return failed_tests(trial.judgement).contains(test) ||
               std::ranges::find(trial.mistake->sometimes, test) != trial.mistake->sometimes.end();
    };
    for (const model::TestSpec& test : proof.problem.tests) {
        const bool kills = std::ranges::any_of(proof.trials, [&](const Trial& trial) {
            return trial.role == Trial::Role::mistake && may_fail(trial, test.name);
        });
        const bool refuses = std::ranges::any_of(proof.problem.witnesses, [&](const model::Witness& witness) {
            return std::ranges::find(witness.refused_by, test.name) != witness.refused_by.end();
        });
        if (!kills && !refuses) idle.push_back(test.name);
    }
    return idle;
}

/// Whether no measurement says anything of a mistake, so that all that can be found wrong with it is that.
bool is_unmeasured(const Proof& proof, const model::Mistake& mistake) {
    return proof.problem.kill_seeds.count == 0 && mistake.always.empty() && mistake.sometimes.empty() &&
           mistake.finds.empty();
}

/// What was found out about a file, but for what follows from a missing measurement.
std::vector<std::string> gaps_to_tell(const Proof& proof, const Trial& trial) {
    const bool judged = trial.judgement.compile.ok && trial.judgement.verdict != model::Verdict::judge_error;
    if (trial.mistake != nullptr && judged && is_unmeasured(proof, *trial.mistake)) return {};
    return trial.gaps;
}

std::string unmeasured_text(const Proof& proof) {
    const auto count = std::ranges::count_if(
        proof.problem.mistakes, [&](const model::Mistake& mistake) { return is_unmeasured(proof, mistake); });
    if (count == 0) return {};
    return fmt::format("  gap: problems/{0}/kills.json says nothing of {1} mistake{2}: the command verify "
                       "--accept {0} measures which tests they fail\n",
                       proof.problem.id, count, count == 1 ? "" : "s");
}

/// Of those that have a gap already, nothing can be measured.
std::string unmeasured_witnesses(const Proof& proof) {
    const auto count = std::ranges::count_if(proof.trials, [](const Trial& trial) {
        return trial.witness != nullptr && trial.witness->refused_by.empty() && trial.gaps.empty();
    });
    if (count == 0) return {};
    return fmt::format("  gap: problems/{0}/kills.json says nothing of {1} witness{2}: the command verify "
                       "--accept {0} measures which tests refuse {3}\n",
                       proof.problem.id, count, count == 1 ? "" : "es", count == 1 ? "it" : "them");
}

/// What contradicts kills.json, and what to do about it.
std::string contradictions_text(const Proof& proof) {
    std::vector<Contradiction> found = contradictions_of(proof);
    std::erase_if(found, [&](const Contradiction& one) {
        return is_unmeasured(proof,
                             *std::ranges::find(proof.problem.mistakes, one.mistake, &model::Mistake::name));
    });
    std::string text;
    bool by_other_seeds = false;
    for (const Contradiction& one : found) {
        const bool gap = proof.problem.kill_seeds.count == 0 || proof.problem.kill_seeds.contain(one.seed);
        by_other_seeds = by_other_seeds || !gap;
        text += fmt::format("  {}: {}\n", proof.accepted ? "done" : gap ? "gap" : "note", words(one));
    }
    if (!found.empty() && !proof.accepted)
        text +=
            by_other_seeds
                ? fmt::format("  problems/{}/kills.json: {} with --accept, or measure again without a seed\n",
                              proof.problem.id, found.size() == 1 ? "move it" : "move them")
                : fmt::format("  problems/{}/kills.json: measure again with --accept\n", proof.problem.id);
    return text;
}

} // namespace

std::string render(const Proof& proof) {
    std::string text =
        fmt::format("{}: {}\n", proof.problem.id, soundness(proof.sound(), proof.blanks.size()));
    text += fmt::format(
        "  {} accepted variants, {} mistakes, {} witnesses, {} tests, {} hints, {} questions\n",
        proof.problem.accepted.size(), proof.problem.mistakes.size(), proof.problem.witnesses.size(),
        proof.problem.tests.size(), proof.problem.hints.size(), proof.problem.questions.size());
    if (!proof.witnesses_only) text += kill_matrix(proof);
    if (proof.hunt) text += "  " + score(*proof.hunt) + "\n";
    if (proof.boundaries) text += boundary_table(proof.boundaries->rows);
    for (const std::string& test : proof.witnesses_only ? std::vector<std::string>{} : idle_tests(proof))
        text += fmt::format("  note: no mistake and no witness fails the test '{}'\n", test);
    for (const std::string& gap : proof.gaps())
        text += fmt::format("  gap: {}\n", gap);
    for (const Trial& trial : proof.trials)
        for (const std::string& gap : gaps_to_tell(proof, trial))
            text += fmt::format("  gap: {} {} {}\n", role_name(trial.role), trial.name, gap);
    if (!proof.witnesses_only) text += unmeasured_text(proof);
    text += unmeasured_witnesses(proof);
    text += contradictions_text(proof);
    return text;
}

} // namespace verify

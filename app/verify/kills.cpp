#include "app/verify/kills.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <variant>

namespace verify {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

/// Adds the name where it is not there yet.
void add(Names& names, const std::string& name) {
    if (!contains(names, name)) names.push_back(name);
}

} // namespace

Kill kill_of(const events::Tally& tally) {
    if (tally.failed == 0) return Kill::never;
    if (tally.passed > 0) return Kill::sometimes;
    return tally.drew ? Kill::always : Kill::constructed;
}

Kill merged(Kill measured, bool was_sometimes) {
    return measured == Kill::always && was_sometimes ? Kill::sometimes : measured;
}

void take_over(const std::vector<events::Swept>& swept, bool again, model::Mistake& mistake) {
    const Names before = again ? mistake.sometimes : Names{};
    mistake.always.clear();
    mistake.sometimes.clear();
    mistake.checked.clear();
    for (const events::Swept& one : swept) {
        const Kill kill = merged(kill_of(one.tally), contains(before, one.test));
        if (kill == Kill::sometimes)
            mistake.sometimes.push_back(one.test);
        else if (kill != Kill::never)
            mistake.always.push_back(one.test);
    }
}

bool surely_fails(const model::Mistake& mistake, const std::string& test) {
    return contains(mistake.always, test) && !contains(mistake.checked, test);
}

void add_checked(const std::vector<CheckedRun>& runs, model::Mistake& mistake) {
    Names failed;
    for (const CheckedRun& run : runs)
        for (const std::string& test : run.failed)
            add(failed, test);
    for (const std::string& test : failed) {
        if (contains(mistake.always, test)) continue;
        if (!std::ranges::all_of(runs, [&](const CheckedRun& run) { return contains(run.failed, test); })) {
            add(mistake.sometimes, test);
            continue;
        }
        std::erase(mistake.sometimes, test);
        mistake.always.push_back(test);
        mistake.checked.push_back(test);
    }
    mistake.finds.clear();
    if (!runs.empty()) mistake.finds = runs.front().finds;
}

std::string words(const Contradiction& it) {
    if (it.failed)
        return fmt::format("add '{}' of {} to sometimes: it failed with seed {}", it.test, it.mistake,
                           it.seed);
    return fmt::format("move '{}' of {} from always to sometimes: it passed with seed {}", it.test,
                       it.mistake, it.seed);
}

std::vector<Contradiction> contradictions(const model::Mistake& mistake, const Names& ran,
                                          const Names& failed, std::uint64_t seed) {
    std::vector<Contradiction> list;
    for (const std::string& test : ran) {
        const bool fails = contains(failed, test);
        const bool always = contains(mistake.always, test);
        if (fails != always && !contains(mistake.sometimes, test))
            list.push_back({mistake.name, test, fails, seed});
    }
    return list;
}

std::vector<Contradiction> contradictions(const model::Mistake& mistake,
                                          const std::vector<events::Swept>& swept) {
    std::vector<Contradiction> list;
    for (const events::Swept& one : swept) {
        if (contains(mistake.checked, one.test) || contains(mistake.sometimes, one.test)) continue;
        const bool always = contains(mistake.always, one.test);
        if (!always && one.tally.failed > 0)
            list.push_back({mistake.name, one.test, true, one.tally.failed_with});
        if (always && one.tally.passed > 0)
            list.push_back({mistake.name, one.test, false, one.tally.passed_with});
    }
    return list;
}

void move_to_sometimes(const Contradiction& it, model::Problem& problem) {
    const auto mistake = std::ranges::find(problem.mistakes, it.mistake, &model::Mistake::name);
    if (mistake == problem.mistakes.end()) return;
    std::erase(mistake->always, it.test);
    std::erase(mistake->checked, it.test);
    add(mistake->sometimes, it.test);
}

bool is_nameable(const model::Judgement& judgement) {
    using model::FindingKind;
    constexpr std::array races{FindingKind::race_in_block, FindingKind::race_between_blocks,
                               FindingKind::race_between_streams};
    const auto is_race = [&](const model::SanitizerFinding& finding) {
        const auto* kind = std::get_if<FindingKind>(&finding.kind);
        return kind != nullptr && std::ranges::find(races, *kind) != races.end();
    };
    if (std::ranges::any_of(judgement.sanitizer.findings, is_race)) return false;
    std::set<std::string> at_a_line;
    for (const model::SanitizerFinding& finding : judgement.sanitizer.findings)
        if (finding.line > 0 && std::holds_alternative<std::string>(finding.kind))
            at_a_line.insert(finding.test);
    return std::ranges::any_of(judgement.tests, [&](const model::TestResult& test) {
        const bool may_be_undefined =
            test.visibility == model::Visibility::hidden ? !at_a_line.empty() : at_a_line.contains(test.name);
        return test.verdict == model::Verdict::wrong_answer && !may_be_undefined;
    });
}

} // namespace verify

#include "diagnosis/mistakes.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace diagnosis {
namespace {

constexpr std::size_t max_named = 3;

struct Candidate {
    const model::Mistake* mistake;
    std::vector<std::string> explains; ///< failing tests
    bool explains_all = false;
    bool fails_the_same = false; ///< of the tests that ran, those failed that it always fails, and no others
                                 ///< but those that it sometimes fails
    bool finds_the_same = false; ///< what is found of it, if anything, is what was found
};

using FoundKind = decltype(model::SanitizerFinding::kind);

/// What the judgement so far says.
struct Seen {
    std::set<std::string> ran;
    std::set<std::string> failed;
    std::set<std::string> behaved; ///< failed in the run whose calls were compared
    std::set<FoundKind> found;
};

Seen look(const std::vector<model::TestResult>& results, const std::vector<events::Event>& events,
          const std::vector<model::SanitizerFinding>& findings) {
    Seen seen;
    for (const model::TestResult& result : results) {
        seen.ran.insert(result.name);
        if (result.verdict != model::Verdict::accepted) seen.failed.insert(result.name);
    }
    for (const events::Event& event : events)
        if (const auto* ended = std::get_if<events::CaseEnded>(&event); ended && !ended->findings.empty())
            seen.behaved.insert(ended->name);
    for (const model::SanitizerFinding& finding : findings)
        seen.found.insert(finding.kind);
    return seen;
}

Candidate candidate(const model::Mistake& mistake, const Seen& seen) {
    Candidate result{&mistake, {}};
    std::set<std::string> may_fail(mistake.always.begin(), mistake.always.end());
    may_fail.insert(mistake.sometimes.begin(), mistake.sometimes.end());
    result.fails_the_same = std::ranges::includes(may_fail, seen.failed) &&
                            std::ranges::all_of(mistake.always, [&](const std::string& test) {
                                return seen.failed.contains(test) || !seen.ran.contains(test);
                            });
    result.finds_the_same = std::set<FoundKind>(mistake.finds.begin(), mistake.finds.end()) == seen.found;
    return result;
}

/// By behaviour: the driver has compared every call.
std::vector<Candidate> matched(const model::Problem& problem, const std::vector<events::Event>& events,
                               const Seen& seen) {
    std::vector<Candidate> list;
    for (const events::Event& event : events) {
        const auto* match = std::get_if<events::MistakeMatched>(&event);
        if (match == nullptr) continue;
        const auto mistake = std::ranges::find(problem.mistakes, match->mistake, &model::Mistake::name);
        if (mistake == problem.mistakes.end()) continue;
        Candidate one = candidate(*mistake, seen);
        one.explains = match->tests;
        const std::set<std::string> explained(match->tests.begin(), match->tests.end());
        // Tests that failed in the checked build alone had no calls to compare; then all must fit.
        one.explains_all = explained == seen.failed || (explained == seen.behaved && one.fails_the_same);
        list.push_back(std::move(one));
    }
    return list;
}

/// By what the traced build finds, where the calls went as they should.
std::vector<Candidate> found(const model::Problem& problem, const Seen& seen) {
    std::vector<Candidate> list;
    if (!seen.behaved.empty() || seen.found.empty()) return list;
    for (const model::Mistake& mistake : problem.mistakes) {
        Candidate one = candidate(mistake, seen);
        if (mistake.finds.empty() || !one.fails_the_same || !one.finds_the_same) continue;
        one.explains.assign(seen.failed.begin(), seen.failed.end());
        one.explains_all = true;
        list.push_back(std::move(one));
    }
    return list;
}

} // namespace

std::vector<std::string> recognisable(const std::vector<events::Event>& events) {
    std::vector<std::string> tests;
    for (const events::Event& event : events) {
        const auto* ended = std::get_if<events::CaseEnded>(&event);
        if (ended != nullptr && !ended->findings.empty() &&
            std::ranges::none_of(ended->findings, [](const events::Finding& finding) {
                return finding.kind == events::Finding::Kind::not_implemented ||
                       finding.kind == events::Finding::Kind::broken_suite;
            }))
            tests.push_back(ended->name);
    }
    return tests;
}

std::vector<model::Diagnosis> name_mistakes(const model::Problem& problem,
                                            const std::vector<model::TestResult>& results,
                                            const std::vector<events::Event>& events,
                                            const std::vector<model::SanitizerFinding>& findings) {
    const Seen seen = look(results, events, findings);
    std::vector<Candidate> candidates = matched(problem, events, seen);
    if (candidates.empty()) candidates = found(problem, seen);
    std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
        return std::tuple(a.explains_all, a.fails_the_same, a.finds_the_same, a.explains.size()) >
               std::tuple(b.explains_all, b.fails_the_same, b.finds_the_same, b.explains.size());
    });

    std::vector<model::Diagnosis> named;
    for (const Candidate& candidate : candidates) {
        if (named.size() == max_named || (!named.empty() && named.front().certain && !candidate.explains_all))
            break;
        named.push_back({candidate.mistake->name, candidate.mistake->says, candidate.mistake->hint,
                         candidate.explains_all, candidate.explains});
    }
    return named;
}

} // namespace diagnosis

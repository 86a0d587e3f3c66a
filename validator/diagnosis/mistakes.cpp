#include "diagnosis/mistakes.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace diagnosis {
namespace {

constexpr std::size_t max_named = 3;

/// It failed, and what the submission did can be compared. A call without a reply cannot: what would have
/// come after it is unknown.
bool is_recognisable(const events::CaseEnded& ended) {
    using Kind = events::Finding::Kind;
    return !ended.findings.empty() &&
           std::ranges::none_of(ended.findings, [](const events::Finding& finding) {
               return finding.kind == Kind::not_implemented || finding.kind == Kind::broken_suite ||
                      finding.kind == Kind::died;
           });
}

struct Candidate {
    const model::Mistake* mistake;
    std::set<std::string> explains; ///< failing tests
    std::set<std::string> fails;    ///< tests that it fails, whatever the seed or with this one
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
    std::set<std::string> behaved;    ///< failed in the run whose calls were compared
    std::set<std::string> comparable; ///< of those, the ones that no line explains
    std::set<FoundKind> found;
};

Seen look(const std::vector<model::TestResult>& results, const std::vector<events::Event>& events,
          const std::vector<model::SanitizerFinding>& findings) {
    Seen seen;
    for (const model::TestResult& result : results) {
        if (result.verdict == model::Verdict::skipped) continue;
        seen.ran.insert(result.name);
        if (result.verdict != model::Verdict::accepted) seen.failed.insert(result.name);
    }
    for (const events::Event& event : events)
        if (const auto* ended = std::get_if<events::CaseEnded>(&event); ended && !ended->findings.empty()) {
            seen.behaved.insert(ended->name);
            if (is_recognisable(*ended)) seen.comparable.insert(ended->name);
        }
    for (const model::SanitizerFinding& finding : findings) {
        seen.found.insert(finding.kind);
        if (finding.line > 0 && std::holds_alternative<std::string>(finding.kind))
            seen.comparable.erase(finding.test);
    }
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
    for (const std::string& test : mistake.always)
        if (std::ranges::find(mistake.checked, test) == mistake.checked.end()) result.fails.insert(test);
    result.finds_the_same = std::set<FoundKind>(mistake.finds.begin(), mistake.finds.end()) == seen.found;
    return result;
}

/// A test that it fails, and the submission passed.
bool is_ruled_out(const Candidate& candidate, const Seen& seen) {
    return std::ranges::any_of(candidate.fails, [&](const std::string& test) {
        return seen.ran.contains(test) && !seen.failed.contains(test);
    });
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
        one.fails.insert(match->fails.begin(), match->fails.end());
        for (const std::string& test : match->tests)
            if (seen.comparable.contains(test)) one.explains.insert(test);
        if (one.explains.empty() || is_ruled_out(one, seen)) continue;
        // Tests that ended at a line have nothing to compare; then it must be able to fail them.
        one.explains_all =
            one.explains == seen.failed || (one.explains == seen.comparable && one.fails_the_same);
        list.push_back(std::move(one));
    }
    return list;
}

/// Whether every test that can be compared is matched by one of them, or failed by several.
bool explain_together(const std::vector<Candidate>& candidates, const Seen& seen) {
    return std::ranges::all_of(seen.comparable, [&](const std::string& test) {
        return std::ranges::any_of(candidates,
                                   [&](const Candidate& one) { return one.explains.contains(test); }) ||
               std::ranges::count_if(candidates,
                                     [&](const Candidate& one) { return one.fails.contains(test); }) > 1;
    });
}

/// By what the traced build finds, where the calls went as they should.
std::vector<Candidate> found(const model::Problem& problem, const Seen& seen) {
    std::vector<Candidate> list;
    if (!seen.behaved.empty() || seen.found.empty()) return list;
    for (const model::Mistake& mistake : problem.mistakes) {
        Candidate one = candidate(mistake, seen);
        if (mistake.finds.empty() || !one.fails_the_same || !one.finds_the_same) continue;
        one.explains = seen.failed;
        one.explains_all = true;
        list.push_back(std::move(one));
    }
    return list;
}

} // namespace

std::vector<std::string> recognisable(const std::vector<events::Event>& events) {
    std::vector<std::string> tests;
    for (const events::Event& event : events)
        if (const auto* ended = std::get_if<events::CaseEnded>(&event);
            ended != nullptr && is_recognisable(*ended))
            tests.push_back(ended->name);
    return tests;
}

std::vector<model::Diagnosis> name_mistakes(const model::Problem& problem,
                                            const std::vector<model::TestResult>& results,
                                            const std::vector<events::Event>& events,
                                            const std::vector<model::SanitizerFinding>& findings) {
    const Seen seen = look(results, events, findings);
    std::vector<Candidate> candidates = matched(problem, events, seen);
    if (candidates.empty()) candidates = found(problem, seen);
    const bool any_certain = std::ranges::any_of(candidates, &Candidate::explains_all);
    if (!any_certain && !explain_together(candidates, seen)) return {};
    std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
        return std::tuple(a.explains_all, a.fails_the_same, a.finds_the_same, a.explains.size()) >
               std::tuple(b.explains_all, b.fails_the_same, b.finds_the_same, b.explains.size());
    });

    std::vector<model::Diagnosis> named;
    for (const Candidate& candidate : candidates) {
        if (named.size() == max_named || (!named.empty() && named.front().certain && !candidate.explains_all))
            break;
        named.push_back({candidate.mistake->name,
                         candidate.mistake->says,
                         candidate.mistake->hint,
                         candidate.explains_all,
                         {candidate.explains.begin(), candidate.explains.end()}});
    }
    return named;
}

} // namespace diagnosis

#include "diagnosis/mistakes.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace diagnosis {
namespace {

constexpr std::size_t most_named = 3;

struct Candidate {
    const model::Mistake* mistake;
    std::vector<std::string> explains; ///< failing tests
    bool explains_all = false;
    bool fails_the_same = false; ///< the tests it must fail, among those that ran, are the ones that failed
};

} // namespace

std::vector<model::Diagnosis> name_mistakes(const model::Problem& problem,
                                            const std::vector<model::TestResult>& results,
                                            const std::vector<harness::Event>& events) {
    std::set<std::string> ran;
    std::set<std::string> failed;
    for (const model::TestResult& result : results) {
        ran.insert(result.name);
        if (result.verdict != model::Verdict::accepted) failed.insert(result.name);
    }
    std::vector<Candidate> candidates;
    for (const harness::Event& event : events) {
        const auto* matched = std::get_if<harness::MistakeMatched>(&event);
        if (matched == nullptr) continue;
        const auto mistake = std::ranges::find(problem.mistakes, matched->mistake, &model::Mistake::name);
        if (mistake == problem.mistakes.end()) continue;
        Candidate candidate{&*mistake, matched->tests};
        candidate.explains_all = std::set(matched->tests.begin(), matched->tests.end()) == failed;
        std::set<std::string> must_fail;
        std::ranges::copy_if(mistake->fails, std::inserter(must_fail, must_fail.end()),
                             [&](const std::string& test) { return ran.contains(test); });
        candidate.fails_the_same = must_fail == failed;
        candidates.push_back(std::move(candidate));
    }
    std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
        return std::tuple(a.explains_all, a.fails_the_same, a.explains.size()) >
               std::tuple(b.explains_all, b.fails_the_same, b.explains.size());
    });

    std::vector<model::Diagnosis> named;
    for (const Candidate& candidate : candidates) {
        if (named.size() == most_named ||
            (!named.empty() && named.front().certain && !candidate.explains_all))
            break;
        named.push_back({candidate.mistake->name, candidate.mistake->says, candidate.mistake->hint,
                         candidate.explains_all, candidate.explains});
    }
    return named;
}

} // namespace diagnosis

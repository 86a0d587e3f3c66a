#include "app/harden/search.h"

#include "app/harden/symptom.h"
#include "build/compile.h"
#include "build/variant.h"
#include "judge.h"

#include <algorithm>
#include <map>
#include <random>

namespace harden {
namespace {

/// A search gives up after so many.
constexpr std::size_t max_judged = 40;
/// So many are judged at once: most of the time goes into compiling.
constexpr std::size_t at_once = 2;
/// What one call of an endless loop may cost. Calls of a suite take milliseconds.
constexpr std::chrono::milliseconds patience{300};

/// Slips in a random order in which each place comes once before one comes again: a place with many slips
/// is no likelier than others.
std::vector<Slip> in_random_order(std::vector<Slip> slips, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::ranges::shuffle(slips, random);
    std::map<std::size_t, int> seen;
    std::vector<std::pair<int, Slip>> ranked;
    for (Slip& slip : slips) {
        const int rank = seen[slip.offset]++;
        ranked.emplace_back(rank, std::move(slip));
    }
    std::ranges::stable_sort(ranked, {}, &std::pair<int, Slip>::first);
    std::vector<Slip> ordered;
    ordered.reserve(ranked.size());
    for (auto& [rank, slip] : ranked)
        ordered.push_back(std::move(slip));
    return ordered;
}

model::Submission submission_of(const Ground& ground, const std::string& program) {
    const std::string& file = ground.problem.files.front();
    return {.shown_as = file, .files = {{file, program}}};
}

/// A practice run, without a look at known mistakes, in which a call may take so long.
model::Judgement practise(const Ground& ground, const std::string& program, std::uint64_t seed,
                          std::chrono::milliseconds wall) {
    model::Problem problem = ground.problem;
    problem.mistakes.clear();
    problem.limits.wall = wall;
    return judge::judge(ground.workshop, {problem, ground.kit, submission_of(ground, program), false, seed,
                                          ground.isolation, ground.cancel_fd});
}

std::size_t count_warnings(const std::vector<model::Diagnostic>& diagnostics) {
    return static_cast<std::size_t>(
        std::ranges::count(diagnostics, model::Severity::warning, &model::Diagnostic::severity));
}

/// How many warnings a program has that was judged before: its judgement keeps none where it is accepted.
std::size_t warnings_of(const Ground& ground, const std::string& program) {
    return count_warnings(build::build_worker(ground.workshop, ground.problem, ground.kit.table(),
                                              submission_of(ground, program),
                                              build::judged_variant(ground.problem.language),
                                              ground.cancel_fd)
                              .diagnostics);
}

} // namespace

const model::TestSpec& example(const model::Problem& problem) {
    const auto visible =
        std::ranges::find(problem.tests, model::Visibility::visible, &model::TestSpec::visibility);
    return visible == problem.tests.end() ? problem.tests.front() : *visible;
}

std::optional<std::string> worth_repairing(const model::Problem& problem, const model::Judgement& judgement,
                                           std::size_t warnings) {
    using model::Verdict;
    if (!judgement.compile.ok || count_warnings(judgement.compile.diagnostics) > warnings)
        return std::nullopt;
    for (const model::TestResult& test : judgement.tests) {
        const bool passed = test.verdict == Verdict::accepted;
        if (test.name == example(problem).name && !passed) return std::nullopt;
        // Of a crash the report names the line, and who waits for a test that never ends learns nothing.
        if (!passed && test.verdict != Verdict::wrong_answer) return std::nullopt;
    }
    return symptom_of(judgement);
}

Search plant(const Ground& ground, const std::string& program, const std::set<std::string>& avoided,
             std::uint64_t seed, std::optional<std::chrono::milliseconds> time) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<Slip> slips = in_random_order(slips_of(program), seed);
    std::erase_if(slips, [&](const Slip& slip) { return avoided.contains(slip.apply(program)); });
    slips.resize(std::min(slips.size(), max_judged));
    auto original = std::async(std::launch::async,
                               [&] { return practise(ground, program, seed, ground.problem.limits.wall); });
    std::optional<std::size_t> warnings; ///< that the program has itself
    for (std::size_t first = 0; first == 0 || first < slips.size();) {
        // The first shares the cores with the original.
        const std::size_t last = std::min(slips.size(), first + (warnings ? at_once : 1));
        std::vector<std::future<model::Judgement>> judged;
        for (std::size_t k = first; k < last; ++k)
            judged.push_back(std::async(std::launch::async, [&, k] {
                return practise(ground, slips[k].apply(program), seed, patience);
            }));
        if (!warnings) {
            const model::Verdict verdict = original.get().verdict;
            if (verdict == model::Verdict::judge_error) return {};
            if (verdict != model::Verdict::accepted) return {std::nullopt, false};
            warnings = warnings_of(ground, program);
        }
        for (std::size_t k = first; k < last; ++k)
            if (auto symptom = worth_repairing(ground.problem, judged[k - first].get(), *warnings))
                return {Planted{slips[k], slips[k].apply(program), std::move(*symptom)}, true};
        const bool late = time && std::chrono::steady_clock::now() - start > *time;
        if (last == first || late) break;
        first = last;
    }
    return {};
}

} // namespace harden

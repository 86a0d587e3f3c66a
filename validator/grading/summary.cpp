#include "grading/summary.h"

#include "model/shell_word.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace grading {

using model::Judgement;
using model::Verdict;

namespace {

bool fails(const model::TestResult& test) {
    return test.verdict != Verdict::accepted && test.verdict != Verdict::skipped;
}

/// The concepts of failing tests, each once, at most three.
std::string concepts_of_failures(const Judgement& judgement) {
    constexpr std::size_t most = 3;
    std::vector<std::string> names;
    for (const model::TestResult& test : judgement.tests)
        if (fails(test) && names.size() < most && std::ranges::find(names, test.concept_name) == names.end())
            names.push_back(test.concept_name);
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Where a learner who sees the visible tests pass stands: what is left is in hidden ones.
std::string only_hidden_fail(const Judgement& judgement) {
    const auto failing = std::ranges::count_if(judgement.tests, fails);
    const bool all_visible_pass = std::ranges::none_of(judgement.tests, [](const model::TestResult& test) {
        return test.visibility == model::Visibility::visible && test.verdict != Verdict::accepted;
    });
    if (failing == 0 || !all_visible_pass) return "";
    return fmt::format(" All visible ones did; {} hidden test{}: {}.", failing,
                       failing == 1 ? " fails" : "s fail", concepts_of_failures(judgement));
}

} // namespace

std::string summary_of(const Judgement& judgement) {
    const auto passed = std::ranges::count(judgement.tests, Verdict::accepted, &model::TestResult::verdict);
    switch (judgement.verdict) {
    case Verdict::accepted:
        return judgement.graded ? fmt::format("All {} tests passed, in both builds.", passed)
                                : fmt::format("All {} visible tests passed.", passed);
    case Verdict::compile_error: return "Your file does not compile, so nothing was run.";
    case Verdict::not_implemented: return "Nothing to test yet: a function still calls not_implemented().";
    case Verdict::judge_error: return "The judge itself failed; this says nothing about your code.";
    default: break;
    }
    const auto skipped = std::ranges::count(judgement.tests, Verdict::skipped, &model::TestResult::verdict);
    std::string words = fmt::format("{} of {} tests passed.", passed, judgement.tests.size());
    if (passed > 0) words += only_hidden_fail(judgement);
    if (skipped > 0)
        words += fmt::format(" {} did not run: earlier calls used up the time limit of all tests.", skipped);
    return words;
}

namespace {

std::string after_acceptance(const Judgement& judgement) {
    const std::size_t questions = judgement.questions.size();
    const std::string go_on = judgement.call + " next";
    if (questions == 0) return "Go on with: " + go_on;
    return fmt::format("Answer {} about it: {} submit-justification {}, then continue with: {}",
                       questions == 1 ? "the question" : fmt::format("the {} questions", questions),
                       judgement.call, judgement.problem_id, go_on);
}

} // namespace

std::string next_step(const model::Problem& problem, const Judgement& judgement) {
    const std::string file = judgement.file;
    const std::string here =
        problem.id + (judgement.from.empty() ? "" : " --from " + model::shell_word(judgement.from));
    const std::string& engine = judgement.call;
    switch (judgement.verdict) {
    case Verdict::accepted:
        return judgement.graded ? after_acceptance(judgement)
                                : fmt::format("Hand it in with: {} submit-build {}", engine, here);
    case Verdict::compile_error: return fmt::format("Fix the first error in {}, then try again.", file);
    case Verdict::not_implemented:
        return fmt::format("Read the task with: {} show {}, then write your code in {}", engine, problem.id,
                           file);
    case Verdict::judge_error: return fmt::format("Try again; if it stays, run: {} doctor", engine);
    default:
        return fmt::format("Change {}, then: {} test {} (stuck? {} hint {})", file, engine, here, engine,
                           problem.id);
    }
}

} // namespace grading

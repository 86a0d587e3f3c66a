#include "grading/summary.h"

#include "grading/grade.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fmt/format.h>

namespace grading {
namespace {

using model::Judgement;
using model::Verdict;

std::string summary_of(const Judgement& judgement) {
    const auto passed = std::ranges::count(judgement.tests, Verdict::accepted, &model::TestResult::verdict);
    switch (judgement.verdict) {
    case Verdict::accepted:
        return judgement.graded ? fmt::format("All {} tests passed, in both builds.", passed)
                                : fmt::format("All {} visible tests passed.", passed);
    case Verdict::compile_error: return "Your file does not compile, so nothing was run.";
    case Verdict::not_implemented:
        return "There is nothing to judge yet: a function still says not implemented.";
    case Verdict::judge_error: return "The judge itself failed; this says nothing about your code.";
    default: return fmt::format("{} of {} tests passed.", passed, judgement.tests.size());
    }
}

/// A word for the shell, in quotes where it needs them.
std::string quoted(const std::string& word) {
    const bool plain = std::ranges::all_of(word, [](unsigned char letter) {
        return std::isalnum(letter) != 0 || std::strchr("_./-+", letter) != nullptr;
    });
    if (plain) return word;
    std::string text = "'";
    for (const char letter : word)
        text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

std::string next_step(const model::Problem& problem, const Judgement& judgement) {
    const std::string file = judgement.file;
    const std::string here = problem.id + (judgement.from.empty() ? "" : " --from " + quoted(judgement.from));
    switch (judgement.verdict) {
    case Verdict::accepted:
        return judgement.graded ? "Answer the questions below, then go on with: engine show"
                                : fmt::format("Hand it in with: engine submit-build {}", here);
    case Verdict::compile_error: return fmt::format("Mend the first error in {}, then try again.", file);
    case Verdict::not_implemented:
        return fmt::format("Read the task with: engine show {}, then write your code in {}", problem.id,
                           file);
    case Verdict::judge_error: return "Try again; if it stays, run: engine doctor";
    default:
        return fmt::format("Change {}, then: engine test {} (stuck? engine hint {})", file, here, problem.id);
    }
}

} // namespace

Judgement blank(const model::Problem& problem, const model::Submission& submission, bool graded) {
    Judgement judgement;
    judgement.problem_id = problem.id;
    judgement.problem_title = problem.title;
    judgement.file = submission.shown_as;
    judgement.from = submission.from;
    judgement.graded = graded;
    return judgement;
}

void conclude(const model::Problem& problem, Judgement& judgement) {
    if (!judgement.compile.ok)
        judgement.verdict = Verdict::compile_error;
    else
        judgement.verdict = overall(judgement.tests);
    // A checked build that was due and did not run to its end leaves the grade open.
    if (judgement.graded && judgement.compile.ok && !judgement.sanitizer.ran &&
        judgement.verdict == Verdict::accepted && judgement.toolchain.sanitizers)
        judgement.verdict = Verdict::judge_error;

    judgement.points = 0;
    judgement.max_points = 0;
    for (const model::TestSpec& test : problem.tests)
        if (judgement.graded || test.visibility == model::Visibility::visible)
            judgement.max_points += test.points;
    for (const model::TestResult& result : judgement.tests)
        judgement.points += result.points;
    judgement.summary = summary_of(judgement);
    judgement.next = next_step(problem, judgement);
    if (judgement.graded) judgement.questions = problem.questions;
}

Judgement unreadable(const model::Problem& problem, const std::string& shown_as, bool graded,
                     const std::string& why) {
    Judgement judgement = blank(problem, {shown_as, {}}, graded);
    judgement.compile.ok = false;
    judgement.compile.diagnostics.push_back({.severity = model::Severity::error, .message = why});
    conclude(problem, judgement);
    return judgement;
}

} // namespace grading

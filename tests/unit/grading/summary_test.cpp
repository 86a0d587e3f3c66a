#include "grading/summary.h"

#include <doctest/doctest.h>

using namespace model;

namespace {

const Problem problem{.id = "token-lookup"};

Judgement judged(bool graded, Verdict verdict, std::vector<Verdict> tests) {
    Judgement judgement;
    judgement.file = "lookup.cpp";
    judgement.graded = graded;
    judgement.verdict = verdict;
    for (const Verdict each : tests)
        judgement.tests.push_back({.verdict = each});
    return judgement;
}

} // namespace

TEST_CASE("tests that did not run for lack of time are counted") {
    model::Judgement judgement;
    judgement.verdict = model::Verdict::time_limit_exceeded;
    judgement.tests = {{.name = "a", .verdict = model::Verdict::time_limit_exceeded},
                       {.name = "b", .verdict = model::Verdict::skipped}};
    CHECK(grading::summary_of(judgement) ==
          "0 of 2 tests passed. 1 did not run: earlier calls used up the time limit of all tests.");
}

TEST_CASE("whoever passes all visible tests hears what the hidden ones are about") {
    Judgement judgement = judged(true, Verdict::wrong_answer, {Verdict::accepted});
    const auto hidden = [](Verdict verdict, const char* about) {
        return TestResult{.verdict = verdict, .visibility = Visibility::hidden, .concept_name = about};
    };
    judgement.tests.push_back(hidden(Verdict::wrong_answer, "64-bit offsets"));
    judgement.tests.push_back(hidden(Verdict::accepted, "empty axes"));
    CHECK(grading::summary_of(judgement) ==
          "2 of 3 tests passed. All visible ones did; 1 hidden test fails: 64-bit offsets.");
    for (const char* about : {"64-bit offsets", "strides", "history", "threads"})
        judgement.tests.push_back(hidden(Verdict::wrong_answer, about));
    CHECK(
        grading::summary_of(judgement) ==
        "2 of 7 tests passed. All visible ones did; 5 hidden tests fail: 64-bit offsets, strides, history.");
    judgement.tests.front().verdict = Verdict::wrong_answer;
    CHECK(grading::summary_of(judgement) == "1 of 7 tests passed.");
}

TEST_CASE("a graded run that passes goes on to the questions") {
    Judgement judgement = judged(true, Verdict::accepted, {Verdict::accepted, Verdict::accepted});
    judgement.problem_id = problem.id;
    CHECK(grading::summary_of(judgement) == "All 2 tests passed, in both builds.");
    CHECK(grading::next_step(problem, judgement) == "Go on with: engine next");
    judgement.questions.resize(1);
    CHECK(
        grading::next_step(problem, judgement) ==
        "Answer the question about it: engine submit-justification token-lookup, then continue with: engine "
        "next");
    judgement.questions.resize(9);
    CHECK(grading::next_step(problem, judgement) ==
          "Answer the 9 questions about it: engine submit-justification token-lookup, then continue with: "
          "engine next");
}

TEST_CASE("a test run that passes counts the visible tests and leads to handing in") {
    const Judgement judgement = judged(false, Verdict::accepted, {Verdict::accepted});
    CHECK(grading::summary_of(judgement) == "All 1 visible tests passed.");
    CHECK(grading::next_step(problem, judgement) == "Hand it in with: engine submit-build token-lookup");
}

TEST_CASE("the next step is a command that works where the learner is") {
    Judgement judgement = judged(false, Verdict::wrong_answer, {Verdict::wrong_answer});
    judgement.call = "../engine";
    CHECK(grading::next_step(problem, judgement) ==
          "Change lookup.cpp, then: ../engine test token-lookup (stuck? ../engine hint token-lookup)");
}

TEST_CASE("a file from elsewhere stays in the next step, quoted where a shell needs it") {
    const auto next = [&](const std::string& from, Verdict verdict) {
        Judgement judgement = judged(false, verdict, {verdict});
        judgement.from = from;
        return grading::next_step(problem, judgement);
    };
    CHECK(next("my/lookup.cpp", Verdict::accepted) ==
          "Hand it in with: engine submit-build token-lookup --from my/lookup.cpp");
    CHECK(next("it's mine.cpp", Verdict::wrong_answer) ==
          "Change lookup.cpp, then: engine test token-lookup --from "
          "'it'\\''s mine.cpp' (stuck? engine hint token-lookup)");
}

TEST_CASE("every other verdict has its summary and its next step") {
    struct Row {
        Verdict verdict;
        std::string summary;
        std::string next;
    };
    using enum Verdict;
    const std::string change =
        "Change lookup.cpp, then: engine test token-lookup (stuck? engine hint token-lookup)";
    for (const Row& row : std::vector<Row>{
             {wrong_answer, "1 of 2 tests passed.", change},
             {run_time_error, "1 of 2 tests passed.", change},
             {time_limit_exceeded, "1 of 2 tests passed.", change},
             {memory_limit_exceeded, "1 of 2 tests passed.", change},
             {output_limit_exceeded, "1 of 2 tests passed.", change},
             {compile_error, "Your file does not compile, so nothing was run.",
              "Fix the first error in lookup.cpp, then try again."},
             {not_implemented, "Nothing to test yet: a function still calls not_implemented().",
              "Read the task with: engine show token-lookup, then write your code in lookup.cpp"},
             {judge_error, "The judge itself failed; this says nothing about your code.",
              "Try again; if it stays, run: engine doctor"}}) {
        const Judgement judgement = judged(true, row.verdict, {accepted, row.verdict});
        CHECK(grading::summary_of(judgement) == row.summary);
        CHECK(grading::next_step(problem, judgement) == row.next);
    }
}

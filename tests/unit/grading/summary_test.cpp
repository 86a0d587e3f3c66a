#include "grading/summary.h"

#include <doctest/doctest.h>

using namespace model;

namespace {

struct House {
    Problem problem;

    House() {
        problem.id = "token-lookup";
        problem.title = "Six rows";
        problem.tests = {{.name = "a", .points = 12},
                         {.name = "b", .points = 8, .visibility = Visibility::hidden}};
        problem.questions = {{.id = "why"}};
    }
    Judgement judged(bool graded, std::vector<Verdict> verdicts) {
        Judgement judgement = grading::blank(problem, {"lookup.cpp", {}}, graded);
        judgement.sanitizer.ran = graded;
        for (std::size_t i = 0; i < verdicts.size(); ++i)
            judgement.tests.push_back(
                {.name = problem.tests[i].name,
                 .verdict = verdicts[i],
                 .points = verdicts[i] == Verdict::accepted ? problem.tests[i].points : 0});
        grading::conclude(problem, judgement);
        return judgement;
    }
};

} // namespace

TEST_CASE_FIXTURE(House, "a graded run that passes has all points and goes on to the questions") {
    const Judgement judgement = judged(true, {Verdict::accepted, Verdict::accepted});
    CHECK(judgement.verdict == Verdict::accepted);
    CHECK(judgement.points == 20);
    CHECK(judgement.max_points == 20);
    CHECK(judgement.summary == "All 2 tests passed, in both builds.");
    CHECK(judgement.next == "Answer the questions below, then go on with: engine show");
    CHECK(judgement.questions.size() == 1);
    CHECK(judgement.problem_id == "token-lookup");
    CHECK(judgement.file == "lookup.cpp");
}

TEST_CASE_FIXTURE(House, "a test run that passes counts the visible tests and leads to handing in") {
    const Judgement judgement = judged(false, {Verdict::accepted});
    CHECK(judgement.verdict == Verdict::accepted);
    CHECK(judgement.points == 12);
    CHECK(judgement.max_points == 12);
    CHECK(judgement.summary == "All 1 visible tests passed.");
    CHECK(judgement.next == "Hand it in with: engine submit-build token-lookup");
    CHECK(judgement.questions.empty());
}

TEST_CASE_FIXTURE(House, "a file from elsewhere stays in the next step, quoted where a shell needs it") {
    const auto next = [&](const std::string& from, bool passes) {
        Judgement judgement = grading::blank(problem, {"lookup.cpp", {}, from}, false);
        judgement.compile.ok = true;
        judgement.tests = judged(false, {passes ? Verdict::accepted : Verdict::wrong_answer}).tests;
        grading::conclude(problem, judgement);
        return judgement.next;
    };
    CHECK(next("my/lookup.cpp", true) ==
          "Hand it in with: engine submit-build token-lookup --from my/lookup.cpp");
    CHECK(next("it's mine.cpp", false) == "Change lookup.cpp, then: engine test token-lookup --from "
                                          "'it'\\''s mine.cpp' (stuck? engine hint token-lookup)");
}

TEST_CASE_FIXTURE(House, "every other verdict has its summary and its next step") {
    using enum Verdict;
    for (const Verdict verdict :
         {wrong_answer, run_time_error, time_limit_exceeded, memory_limit_exceeded, output_limit_exceeded}) {
        const Judgement judgement = judged(true, {accepted, verdict});
        CHECK(judgement.verdict == verdict);
        CHECK(judgement.points == 12);
        CHECK(judgement.summary == "1 of 2 tests passed.");
        CHECK(judgement.next ==
              "Change lookup.cpp, then: engine test token-lookup (stuck? engine hint token-lookup)");
    }
    const Judgement starter = judged(true, {not_implemented, not_implemented});
    CHECK(starter.summary == "There is nothing to judge yet: a function still says not implemented.");
    CHECK(starter.next == "Read the task with: engine show token-lookup, then write your code in lookup.cpp");
    const Judgement ours = judged(true, {accepted, judge_error});
    CHECK(ours.summary == "The judge itself failed; this says nothing about your code.");
    CHECK(ours.next == "Try again; if it stays, run: engine doctor");
}

TEST_CASE_FIXTURE(House, "what does not compile was not run") {
    const Judgement judgement = grading::unreadable(problem, "lookup.cpp", true, "the file is empty");
    CHECK(judgement.verdict == Verdict::compile_error);
    CHECK(judgement.points == 0);
    CHECK(judgement.max_points == 20);
    CHECK(judgement.summary == "Your file does not compile, so nothing was run.");
    CHECK(judgement.next == "Mend the first error in lookup.cpp, then try again.");
    REQUIRE(judgement.compile.diagnostics.size() == 1);
    CHECK(judgement.compile.diagnostics[0].message == "the file is empty");
    CHECK(judgement.compile.diagnostics[0].severity == Severity::error);
}

TEST_CASE_FIXTURE(House, "a checked build that was due and did not run leaves the grade open") {
    Judgement judgement = judged(true, {Verdict::accepted, Verdict::accepted});
    judgement.sanitizer.ran = false;
    grading::conclude(problem, judgement);
    CHECK(judgement.verdict == Verdict::judge_error);

    judgement.toolchain.sanitizers = false; // it was not due
    grading::conclude(problem, judgement);
    CHECK(judgement.verdict == Verdict::accepted);
}

TEST_CASE_FIXTURE(House, "without any test there is nothing to accept") {
    CHECK(judged(true, {}).verdict == Verdict::judge_error);
}

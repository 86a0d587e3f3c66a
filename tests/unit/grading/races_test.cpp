// What the program that looks for data races adds to a judgement.
#include "evidence_builder.h"
#include "grading/judge.h"

#include <doctest/doctest.h>

using namespace grading_test;
using namespace model;
using enum Verdict;

namespace {

Judgement with_races(grading::ProgramEvidence racing) {
    Evidence evidence = sanitized();
    evidence.checks.push_back({std::move(racing), Check::races, true, {}});
    return grading::judge(two_tests(Language::cpp), evidence);
}

} // namespace

TEST_CASE("a program that starts threads and has no race is accepted") {
    const Judgement judgement = with_races(program(whole_run({pass("a"), pass("b")})));
    CHECK(judgement.verdict == accepted);
    CHECK(judgement.points == 20);
    CHECK(judgement.sanitizer.races);
    CHECK(judgement.sanitizer.findings.empty());
}

TEST_CASE("a data race that no other build showed costs its test") {
    const auto died_of_it = fail("a", died(Fate::exited, thread_sanitizer_status), data_race);
    const Judgement judgement = with_races(program(whole_run({died_of_it, pass("b")})));
    CHECK(judgement.verdict == run_time_error);
    CHECK(judgement.tests[0].verdict == run_time_error);
    CHECK(judgement.points == 8);
    REQUIRE(judgement.sanitizer.findings.size() == 1);
    CHECK(judgement.sanitizer.findings[0].test == "a");
}

TEST_CASE("a search for races that did not come to its end leaves the grade open") {
    CHECK(with_races(program(broken_run())).verdict == judge_error);
    CHECK_FALSE(with_races(program(broken_run())).sanitizer.races);
    CHECK(with_races(no_program("what?")).verdict == compile_error);
}

TEST_CASE("where races could not be looked for, the judgement says so and stands") {
    Evidence evidence = sanitized();
    evidence.left_out = {{Check::races, "it does not work here"}};
    const Judgement judgement = grading::judge(two_tests(Language::cpp), evidence);
    CHECK(judgement.verdict == accepted);
    CHECK_FALSE(judgement.sanitizer.races);
    CHECK(judgement.sanitizer.races_reason == "it does not work here");
}

// Where in the learner's code a test went wrong.
#include "grading/judge.h"

#include "evidence_builder.h"

#include <doctest/doctest.h>

using namespace grading_test;
using namespace model;

TEST_CASE("a test says what it is about, and where in the learner's code it went wrong") {
    const auto place = [](const std::function<void(Evidence&)>& change) {
        return judged(Language::cpp, change).tests[0].place;
    };
    const auto crashes = [](Evidence& e) {
        Finding finding = died(Fate::signalled, 11);
        finding.file = "f.cpp";
        finding.line = 21;
        e.judged = program(whole_run({fail("a", finding), pass("b")}));
    };
    CHECK_FALSE(place(nothing));
    CHECK(place(crashes) == Location{.file = "f.cpp", .line = 21});
    CHECK(place([&](Evidence& e) {
              crashes(e);
              e.checks[0] = {program(whole_run({fail("a", died(Fate::exited, 1), overflow), pass("b")})),
                             Check::sanitizers,
                             true,
                             {}};
          }) == Location{.file = "f.cpp", .line = 11});
    CHECK_FALSE(place([](Evidence& e) { e.judged = program(whole_run({fail("a", wrong()), pass("b")})); }));
    CHECK(judged(Language::cpp, crashes).tests[1].place == std::nullopt);

    Problem problem = two_tests(Language::cpp);
    problem.tests[0].concept_name = "doubling";
    Evidence evidence = sanitized();
    evidence.tests = problem.tests;
    CHECK(grading::judge(problem, evidence).tests[0].concept_name == "doubling");
}

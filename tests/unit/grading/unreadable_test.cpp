// A submission whose files could not be read.
#include "grading/judge.h"

#include "evidence_builder.h"

#include <doctest/doctest.h>

using namespace grading_test;
using namespace model;

TEST_CASE("what could not be read was not run") {
    const Judgement judgement = grading::unreadable(
        two_tests(Language::cpp), {.shown_as = "f.cpp", .files = {}}, true, "the file is empty");
    CHECK(judgement.verdict == Verdict::compile_error);
    CHECK(judgement.points == 0);
    CHECK(judgement.max_points == 20);
    CHECK(judgement.file == "f.cpp");
    CHECK(judgement.graded);
    REQUIRE(judgement.compile.diagnostics.size() == 1);
    CHECK(judgement.compile.diagnostics[0].message == "the file is empty");
    CHECK(judgement.compile.diagnostics[0].severity == Severity::error);
    CHECK(judgement.tests.size() == 2);
    CHECK(grading::unreadable(two_tests(Language::cpp), {.shown_as = "f.cpp", .files = {}}, false, "why")
              .tests.size() == 1);
}

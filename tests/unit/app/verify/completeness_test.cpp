#include "app/verify/completeness.h"

#include "unit/folder.h"

#include <algorithm>
#include <doctest/doctest.h>

namespace {

model::Problem whole_problem() {
    model::Problem problem;
    problem.id = "twice";
    problem.mistakes.resize(10);
    problem.accepted.resize(4);
    for (int i = 0; i < 10; ++i)
        problem.tests.push_back(
            {.name = "test",
             .points = 2,
             .visibility = i < 3 ? model::Visibility::hidden : model::Visibility::visible});
    problem.questions.resize(6);
    problem.questions[0].kind = model::QuestionKind::numeric;
    problem.questions[0].formula = "1";
    problem.questions[1].kind = model::QuestionKind::short_text;
    problem.statement =
        "# Twice\n\n## Your task\n\n## Worked example\n\n## Why it matters\n\n## Background\n\n"
        "## Shapes\n\n## Pitfalls\n\n## Testing tips\n\n## What comes next\n";
    return problem;
}

/// What is missing from a whole problem after `change`.
template <class Change>
std::vector<std::string> after(Change change) {
    model::Problem problem = whole_problem();
    change(problem);
    return verify::missing_parts(problem);
}

using Gaps = std::vector<std::string>;

} // namespace

TEST_CASE("a whole problem lacks nothing") {
    CHECK(verify::missing_parts(whole_problem()).empty());
}

TEST_CASE("each missing part is a gap with its file") {
    CHECK(after([](auto& p) { p.mistakes.resize(9); }) ==
          Gaps{"problems/twice/mistakes/: 9 mistakes, at least 10 are needed"});
    CHECK(after([](auto& p) { p.accepted.resize(1); }) ==
          Gaps{"problems/twice/accepted/: 1 accepted variant, at least 4 are needed"});
    CHECK(after([](auto& p) { p.tests[0].points = 3; }) ==
          Gaps{"problems/twice/problem.json: the points sum to 21, not 20"});
    CHECK(after([](auto& p) { p.tests[0].visibility = model::Visibility::visible; }) ==
          Gaps{"problems/twice/problem.json: 2 of 10 tests are hidden; about a third should be"});
    CHECK(after([](auto& p) { p.questions.resize(5); }) ==
          Gaps{"problems/twice/questions.json: 5 questions, at least 6 are needed"});
    CHECK(after([](auto& p) { p.questions[1] = p.questions[0]; }) ==
          Gaps{"problems/twice/questions.json: 2 kinds of question, at least 3 are needed"});
    CHECK(after([](auto& p) { p.questions[0].kind = model::QuestionKind::predict_output; }) ==
          Gaps{"problems/twice/questions.json: no numeric question with a formula"});
}

TEST_CASE("a statement needs its sections, whole and in order") {
    CHECK(after([](auto& p) { p.statement.replace(p.statement.find("Shapes"), 6, "Shape "); }) ==
          Gaps{"problems/twice/statement.md: the section '## Shapes' is missing"});
    CHECK(after([](auto& p) {
              p.statement.replace(p.statement.find("## Shapes\n\n"), 11, "");
              p.statement += "\n## Shapes\n";
          }).size() > 0);
}

TEST_CASE("a whole file that shares half of its lines with a base should be a difference") {
    const test::Folder folder;
    folder.write("reference/twice/twice.cpp", "one\ntwo\nthree\nfour\n");
    folder.write("problems/twice/accepted/other.cpp", "// accepted: otherwise\nuno\ndos\ntres\n");
    const auto gaps_of = [&](const std::string& program) {
        return after([&](model::Problem& problem) {
            problem.folder = folder.path() / "problems/twice";
            problem.files = {"twice.cpp"};
            problem.reference = {folder.path() / "reference/twice/twice.cpp"};
            problem.accepted[0] = folder.path() / "problems/twice/accepted/other.cpp";
            problem.accepted.resize(1);
            problem.mistakes[0].name = "thrice";
            problem.mistakes[0].file = folder.path() / "problems/twice/mistakes/thrice.cpp";
            problem.mistakes[0].program = program;
        });
    };
    const std::string few = "problems/twice/accepted/: 1 accepted variant, at least 4 are needed";
    CHECK(gaps_of("one\n2\n3\n4\n") == Gaps{few});
    CHECK(gaps_of("uno\ndos\n3\n4\n") ==
          Gaps{"problems/twice/mistakes/thrice.cpp: 50 % of its lines are those of "
               "problems/twice/accepted/other.cpp: store the difference with the command mistake twice "
               "thrice --from "
               "problems/twice/mistakes/thrice.cpp",
               few});
}

TEST_CASE("a limit of traffic is told in the statement") {
    const auto limited = [](const std::string& told) {
        return after([&](auto& p) {
            p.tests[0].traffic = model::TrafficLimits{
                .moved_at_most = 1.35, .coalescing_at_least = 0.85, .bank_conflicts_at_most = 4};
            p.statement += "At most " + told;
        });
    };
    const std::string not_told = "problems/twice/statement.md: the limit of the test 'test' is not told: ";
    CHECK(limited("1.35\ntimes the bytes move, 85 % of them asked for, with 4 bank conflicts.\n").empty());
    CHECK(limited("11.35 times the bytes move, 85 % of them asked for, with 4 bank conflicts.\n") ==
          Gaps{not_told + "'1.35 times'"});
    CHECK(limited("1.35 times the bytes move, 8.85 % of them asked for, with 4 bank conflicts.\n") ==
          Gaps{not_told + "'85 %'"});
    CHECK(limited("1.35 times the bytes move, 85 % of them asked for, with 14 bank conflicts.\n") ==
          Gaps{not_told + "'4 bank conflicts'"});
}

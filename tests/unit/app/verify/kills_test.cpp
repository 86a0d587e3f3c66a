#include "app/verify/kills.h"

#include <doctest/doctest.h>

using namespace verify;

namespace {

using Names = std::vector<std::string>;

constexpr events::Tally fails{.failed = 200, .failed_with = 1, .drew = true};
constexpr events::Tally passes{.passed = 16, .passed_with = 1, .drew = true};
constexpr events::Tally both{.passed = 1, .failed = 7, .passed_with = 8, .failed_with = 1, .drew = true};
constexpr events::Tally constructed{.failed = 1, .failed_with = 1};

std::vector<events::Swept> swept(const std::vector<std::pair<std::string, events::Tally>>& rows) {
    std::vector<events::Swept> list;
    for (const auto& [test, tally] : rows)
        list.push_back({"m", test, tally});
    return list;
}

Names words_of(const std::vector<Contradiction>& list) {
    Names all;
    for (const Contradiction& one : list)
        all.push_back(words(one));
    return all;
}

} // namespace

TEST_CASE("a test fails always, sometimes or never by what its seeds have shown") {
    CHECK(kill_of(fails) == Kill::always);
    CHECK(kill_of(passes) == Kill::never);
    CHECK(kill_of(both) == Kill::sometimes);
    CHECK(kill_of(constructed) == Kill::constructed);
}

TEST_CASE("what a later seed has contradicted stays so, unless the suite constructs the input") {
    CHECK(merged(Kill::always, true) == Kill::sometimes);
    CHECK(merged(Kill::always, false) == Kill::always);
    CHECK(merged(Kill::constructed, true) == Kill::constructed);
    CHECK(merged(Kill::never, true) == Kill::never);
    CHECK(merged(Kill::sometimes, false) == Kill::sometimes);
}

TEST_CASE("a measurement takes the place of what was there, and keeps what a later one has shown") {
    model::Mistake mistake{.name = "m", .always = {"gone", "traced"}, .sometimes = {"lucky", "firm"}};
    mistake.checked = {"traced"};
    const auto seen =
        swept({{"lucky", fails}, {"firm", constructed}, {"sure", fails}, {"some", both}, {"none", passes}});
    model::Mistake typed = mistake;
    take_over(seen, true, mistake);
    CHECK(mistake.always == Names{"firm", "sure"});
    CHECK(mistake.sometimes == Names{"lucky", "some"});
    CHECK(mistake.checked.empty());
    take_over(seen, false, typed);
    CHECK(typed.always == Names{"lucky", "firm", "sure"});
    CHECK(typed.sometimes == Names{"some"});
}

TEST_CASE("the checked build adds what fails in it alone, with all of its seeds or with some") {
    model::Mistake mistake{
        .name = "m", .always = {"a"}, .sometimes = {"b"}, .finds = {model::FindingKind::out_of_bounds}};
    add_checked({{{"a", "b", "c", "d"}, {model::FindingKind::race_in_block}},
                 {{"c", "b"}, {model::FindingKind::race_in_block, model::FindingKind::out_of_bounds}}},
                mistake);
    CHECK(mistake.always == Names{"a", "b", "c"});
    CHECK(mistake.checked == Names{"b", "c"});
    CHECK(mistake.sometimes == Names{"d"});
    CHECK(mistake.finds == std::vector{model::FindingKind::race_in_block});
}

TEST_CASE("one seed contradicts what is said to happen always or never, and nothing else") {
    const model::Mistake mistake{.name = "m", .always = {"a", "b"}, .sometimes = {"c", "d"}};
    CHECK(words_of(contradictions(mistake, {"a", "b", "c", "d", "e"}, {"a", "b", "c"}, 9)).empty());
    CHECK(words_of(contradictions(mistake, {"a", "b", "c", "d", "e"}, {"a", "d", "e"}, 9)) ==
          Names{"move 'b' of m from always to sometimes: it passed with seed 9",
                "add 'e' of m to sometimes: it failed with seed 9"});
    CHECK(words_of(contradictions(mistake, {"a"}, {}, 9)).size() == 1); // only what ran counts
}

TEST_CASE("a sweep contradicts with the first seed that does, and says nothing of the checked build") {
    model::Mistake mistake{.name = "m", .always = {"a", "b", "traced"}, .sometimes = {"c"}};
    mistake.checked = {"traced"};
    CHECK(words_of(contradictions(mistake, swept({{"a", fails},
                                                  {"b", both},
                                                  {"c", fails},
                                                  {"traced", passes},
                                                  {"e", both},
                                                  {"f", passes}}))) ==
          Names{"move 'b' of m from always to sometimes: it passed with seed 8",
                "add 'e' of m to sometimes: it failed with seed 1"});
}

TEST_CASE("a contradicted pair moves to sometimes and is there once") {
    model::Problem problem;
    problem.mistakes = {{.name = "m", .always = {"a", "b"}, .sometimes = {"c"}}};
    problem.mistakes[0].checked = {"b"};
    for (const char* test : {"b", "e", "c"})
        move_to_sometimes({"m", test, false, 9}, problem);
    move_to_sometimes({"gone", "a", false, 9}, problem);
    CHECK(problem.mistakes[0].always == Names{"a"});
    CHECK(problem.mistakes[0].checked.empty());
    CHECK(problem.mistakes[0].sometimes == Names{"c", "b", "e"});
}

TEST_CASE("a mistake can be recognised where it gave a wrong answer, and not where it only stopped") {
    model::Judgement judgement;
    judgement.tests = {{.name = "a", .verdict = model::Verdict::accepted},
                       {.name = "b", .verdict = model::Verdict::run_time_error}};
    CHECK_FALSE(verify::is_nameable(judgement));
    judgement.tests[0].verdict = model::Verdict::wrong_answer;
    CHECK(verify::is_nameable(judgement));
    judgement.sanitizer.findings.push_back({.kind = model::FindingKind::misaligned});
    CHECK(verify::is_nameable(judgement));
    judgement.sanitizer.findings.push_back({.kind = model::FindingKind::race_in_block});
    CHECK_FALSE(verify::is_nameable(judgement));
}

TEST_CASE("what comes of memory that is not the program's own need not be recognised") {
    model::Judgement judgement;
    judgement.tests = {{.name = "a", .verdict = model::Verdict::wrong_answer},
                       {.name = "b", .verdict = model::Verdict::wrong_answer}};
    judgement.tests[1].visibility = model::Visibility::hidden;
    judgement.sanitizer.findings = {{.kind = "heap-buffer-overflow", .line = 3, .test = "a"}};
    CHECK_FALSE(verify::is_nameable(judgement));
    judgement.sanitizer.findings[0].line = 0; // in no line of the learner's
    CHECK(verify::is_nameable(judgement));
    judgement.sanitizer.findings[0] = {.kind = "heap-buffer-overflow", .line = 3, .test = "c"};
    CHECK(verify::is_nameable(judgement)); // a stands for itself
    judgement.tests[0].verdict = model::Verdict::accepted;
    CHECK_FALSE(verify::is_nameable(judgement));
}

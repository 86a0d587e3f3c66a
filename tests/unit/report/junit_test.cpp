#include "report/junit.h"

#include "golden/fixtures.h"

#include <doctest/doctest.h>

#include <string>

// That the output is XML at all, and its counts right, is witnessed by tests/golden/well_formed.py.

namespace {

std::string junit(const std::string& fixture) {
    return report::render_junit(fixtures::named(fixture));
}

std::size_t occurrences(const std::string& text, const std::string& word) {
    std::size_t number = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++number;
    return number;
}

} // namespace

TEST_CASE("an accepted submission has no failure and no error") {
    const std::string text = junit("accepted");
    CHECK(text.find("tests=\"7\" failures=\"0\" errors=\"0\" skipped=\"0\"") != std::string::npos);
    CHECK(text.find("<failure") == std::string::npos);
    CHECK(text.find("<error") == std::string::npos);
}

TEST_CASE("wrong values are failures, what broke off is an error") {
    CHECK(occurrences(junit("wrong-answer"), "<failure ") == 2);
    CHECK(occurrences(junit("wrong-answer"), "<error ") == 0);
    CHECK(occurrences(junit("crash"), "<error ") == 1);
    CHECK(occurrences(junit("timeout"), "type=\"time_limit_exceeded\"") == 1);
}

TEST_CASE("tests that could not run are errors and not skipped") {
    const std::string text = junit("compile-error");
    CHECK(occurrences(text, "type=\"not-run\"") == 3);
    CHECK(occurrences(text, "type=\"compile_error\"") == 1);
    CHECK(text.find("<skipped") == std::string::npos);
    CHECK(occurrences(junit("judge-error"), "type=\"not-run\"") == 3);
}

TEST_CASE("a test left out of a practice run is skipped") {
    model::Judgement judgement = fixtures::named("accepted");
    judgement.graded = false;
    judgement.tests[3].verdict = model::Verdict::skipped;
    const std::string text = report::render_junit(judgement);
    CHECK(text.find("errors=\"0\" skipped=\"1\"") != std::string::npos);
    CHECK(text.find("<skipped message=\"did not run\"/>") != std::string::npos);
}

TEST_CASE("a judge error without a single test is still red") {
    model::Judgement judgement = fixtures::named("judge-error");
    judgement.tests.clear();
    const std::string text = report::render_junit(judgement);
    CHECK(text.find("tests=\"2\" failures=\"0\" errors=\"1\"") != std::string::npos);
    CHECK(text.find("type=\"judge_error\"") != std::string::npos);
}

TEST_CASE("the timestamp has no zone, and none is written where the start is unknown") {
    CHECK(junit("accepted").find("timestamp=\"2026-01-31T12:00:00\"") != std::string::npos);
    model::Judgement judgement = fixtures::named("accepted");
    judgement.started.clear();
    CHECK(report::render_junit(judgement).find("timestamp") == std::string::npos);
}

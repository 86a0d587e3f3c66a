#include "report/disclosure.h"
#include "report/words.h"

#include "golden/fixtures.h"
#include "report/console.h"
#include "report/formats.h"

#include <doctest/doctest.h>

using namespace report;

namespace {

/// One failing test that says SECRET wherever it can, and a sanitizer finding in it.
model::Judgement failing(model::Visibility visibility, model::Detail detail) {
    model::Judgement judgement;
    judgement.verdict = model::Verdict::run_time_error;
    model::TestResult test;
    test.name = "the test";
    test.verdict = model::Verdict::run_time_error;
    test.visibility = visibility;
    test.detail = detail;
    test.message = "SECRET message";
    test.hint = "the hint";
    test.output = "SECRET output";
    test.mismatch = model::Mismatch{"out", {0}, "expected-value", "1", 1, 1, 1, 1};
    judgement.tests = {test};
    judgement.sanitizer = {true, "", {{"double-free", "lookup.cpp", 3, "the test", "SECRET report"}}};
    return judgement;
}

std::string everything(const model::Judgement& judgement) {
    std::string text;
    for (const Format& format : formats())
        text += format.render(judgement);
    return text + render_console(judgement, {.verbose = true, .timings = true});
}

bool says(const std::string& text, const std::string& word) {
    return text.find(word) != std::string::npos;
}

} // namespace

TEST_CASE("a visible test shows all in some format") {
    const std::string text = everything(failing(model::Visibility::visible, model::Detail::full));
    for (const char* word :
         {"SECRET message", "SECRET output", "SECRET report", "the hint", "expected-value", "double-free"})
        CHECK_MESSAGE(says(text, word), word);
}

TEST_CASE("a hidden test shows name and verdict alone in every format, whatever its detail") {
    for (const model::Detail detail :
         {model::Detail::full, model::Detail::mismatch, model::Detail::verdict}) {
        model::Judgement judgement = failing(model::Visibility::hidden, detail);
        judgement.tests.push_back({.name = "a visible one", .verdict = model::Verdict::wrong_answer});
        const std::string text = everything(judgement);
        CHECK(says(text, "the test"));
        CHECK(says(text, "run-time error"));
        for (const char* word : {"SECRET", "the hint", "expected-value", "double-free"})
            CHECK_MESSAGE(!says(text, word), word);
    }
}

TEST_CASE("detail verdict shows the verdict alone of a visible test") {
    const std::string text = everything(failing(model::Visibility::visible, model::Detail::verdict));
    for (const char* word : {"SECRET", "the hint", "expected-value", "double-free"})
        CHECK_MESSAGE(!says(text, word), word);
    CHECK(says(text, "This test tells only its verdict."));
}

TEST_CASE("where only hidden tests fail, their hints are shown, and nothing else of them") {
    const std::string text = everything(failing(model::Visibility::hidden, model::Detail::full));
    CHECK(says(text, "the hint"));
    for (const char* word : {"SECRET", "expected-value", "double-free"})
        CHECK_MESSAGE(!says(text, word), word);
}

TEST_CASE("what failing calls share is shown in every format that has sentences") {
    model::Judgement judgement = failing(model::Visibility::hidden, model::Detail::full);
    judgement.failing_calls = {{"lookup", "only if C is 9 or more"}};
    CHECK(says(render_console(judgement, {}), "Calls of lookup fail only if C is 9 or more."));
    for (const Format& format : formats())
        if (format.name != std::string_view("junit"))
            CHECK_MESSAGE(says(format.render(judgement), "only if C is 9 or more"), format.name);
}

TEST_CASE("detail mismatch shows values and hint but no free text") {
    const std::string text = everything(failing(model::Visibility::visible, model::Detail::mismatch));
    CHECK(!says(text, "SECRET"));
    for (const char* word : {"the hint", "expected-value", "double-free"})
        CHECK_MESSAGE(says(text, word), word);
}

TEST_CASE("no format of any fixture holds an answer or a word of a hidden test") {
    for (const fixtures::Fixture& fixture : fixtures::all()) {
        CAPTURE(fixture.name);
        CHECK(!says(everything(fixture.judgement), "SECRET"));
    }
}

TEST_CASE("questions are asked after a graded run only") {
    model::Judgement judgement = fixtures::named("accepted");
    CHECK(disclosed(judgement).questions.size() == 3);
    judgement.graded = false;
    CHECK(disclosed(judgement).questions.empty());
}

TEST_CASE("a flood of diagnostics is cut and counted") {
    model::Judgement judgement;
    judgement.compile.diagnostics.resize(100);
    CHECK(disclosed(judgement).compile.diagnostics.size() == 100);
    judgement.compile.diagnostics.resize(5000);
    const auto kept = disclosed(judgement).compile.diagnostics;
    REQUIRE(kept.size() == 101);
    CHECK(kept.back().message == "4900 more messages left out");
}

TEST_CASE("a sanitizer finding outside any test is shown, one in an unknown test is not") {
    model::Judgement judgement = failing(model::Visibility::visible, model::Detail::full);
    judgement.sanitizer.findings.front().test = "";
    CHECK(disclosed(judgement).sanitizer.findings.size() == 1);
    judgement.sanitizer.findings.front().test = "another test";
    CHECK(disclosed(judgement).sanitizer.findings.empty());
}

TEST_CASE("a cause is told of the calls that fail, an effect of what happens in them") {
    CHECK(report::sentence(model::FailingCalls{"f", "only if C is 1"}) == "Calls of f fail only if C is 1.");
    CHECK(report::sentence(model::FailingCalls{
              "f", "only after other calls; made again with none before, 1 of 1 passes"}) ==
          "Calls of f fail only after other calls; made again with none before, 1 of 1 passes.");
    CHECK(report::sentence(model::FailingCalls{"f", "only the last row of `out` is wrong"}) ==
          "In the failing calls of f, only the last row of `out` is wrong.");
}

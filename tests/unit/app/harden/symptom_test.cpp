#include "app/harden/symptom.h"

#include <doctest/doctest.h>

namespace {

using model::Verdict;

model::TestResult failed(const std::string& message) {
    model::TestResult test;
    test.name = "a test";
    test.verdict = Verdict::wrong_answer;
    test.message = message;
    return test;
}

model::TestResult with_values(model::TestResult test, const std::string& expected, const std::string& got) {
    test.mismatch = model::Mismatch{.what = "out", .index = {0, 2}, .expected = expected, .got = got};
    return test;
}

model::Judgement of(std::vector<model::TestResult> tests) {
    model::Judgement judgement;
    judgement.tests = std::move(tests);
    return judgement;
}

const std::string call = "wrong value in out\nThe last call was lookup(6 x 3, {5}, 1 x 3).";

} // namespace

TEST_CASE("a symptom is the call, what was expected and what came back") {
    CHECK(harden::symptom_of(of({with_values(failed(call), "2.5", "0")})) ==
          "I called lookup(6 x 3, {5}, 1 x 3).\nI expected 2.5 in out at [0, 2].\nI got 0.");
}

TEST_CASE("a wrong status is told in its words") {
    CHECK(harden::symptom_of(of({failed("the returned Status is wrong: expected ok, got shape_mismatch\n"
                                        "The last call was lookup(1 x 1, {}, 0 x 1).")})) ==
          "I called lookup(1 x 1, {}, 0 x 1).\n"
          "For me the returned Status is wrong: expected ok, got shape_mismatch.");
}

TEST_CASE("of several failures the one with values and little to read is told") {
    const auto wordy = with_values(failed(call + "\nwith V = 6, C = 3, T = 1"), "1", "2");
    CHECK(harden::symptom_of(of({failed("short"), wordy, with_values(failed(call), "3", "4")}))
              ->ends_with("I expected 3 in out at [0, 2].\nI got 4."));
}

TEST_CASE("what a learner may not see, and what names a line, is no symptom") {
    auto hidden = with_values(failed(call), "1", "2");
    hidden.visibility = model::Visibility::hidden;
    auto brief = with_values(failed(call), "1", "2");
    brief.detail = model::Detail::mismatch;
    auto crashed = with_values(failed(call), "1", "2");
    crashed.verdict = Verdict::run_time_error;
    CHECK_FALSE(harden::symptom_of(of({hidden, brief, crashed})));
    CHECK_FALSE(harden::symptom_of(of({})));
    CHECK_FALSE(harden::symptom_of(of({failed("something else")})));
}

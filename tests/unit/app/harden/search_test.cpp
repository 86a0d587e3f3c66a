#include "app/harden/search.h"

#include <doctest/doctest.h>

namespace {

using model::Verdict;
using model::Visibility;

model::Problem problem() {
    model::Problem problem;
    for (const auto& [name, visibility] : {std::pair("secret", Visibility::hidden),
                                           {"example", Visibility::visible},
                                           {"other", Visibility::visible}}) {
        model::TestSpec test;
        test.name = name;
        test.visibility = visibility;
        problem.tests.push_back(test);
    }
    return problem;
}

model::TestResult result(const char* name, Verdict verdict) {
    model::TestResult test;
    test.name = name;
    test.verdict = verdict;
    test.message = "wrong value in out\nThe last call was f(1).";
    test.mismatch = model::Mismatch{.what = "out", .index = {0}, .expected = "1", .got = "2"};
    return test;
}

model::Judgement judged(Verdict example, Verdict other) {
    model::Judgement judgement;
    judgement.tests = {result("example", example), result("other", other)};
    return judgement;
}

bool worth(const model::Judgement& judgement, std::size_t warnings = 0) {
    return harden::worth_repairing(problem(), judgement, warnings).has_value();
}

} // namespace

TEST_CASE("the worked example is the first visible test") {
    CHECK(harden::example(problem()).name == "example");
}

TEST_CASE("wrong beyond the worked example is worth repairing") {
    CHECK(worth(judged(Verdict::accepted, Verdict::wrong_answer)));
}

TEST_CASE("what fails the worked example, or nothing, is not worth repairing") {
    CHECK_FALSE(worth(judged(Verdict::wrong_answer, Verdict::wrong_answer)));
    CHECK_FALSE(worth(judged(Verdict::accepted, Verdict::accepted)));
}

TEST_CASE("a crash and an endless loop are given away, and so nothing to look for") {
    for (const Verdict verdict : {Verdict::run_time_error, Verdict::time_limit_exceeded, Verdict::skipped,
                                  Verdict::memory_limit_exceeded, Verdict::judge_error}) {
        model::Judgement judgement = judged(Verdict::accepted, Verdict::wrong_answer);
        judgement.tests.push_back(result("third", verdict));
        CHECK_FALSE(worth(judgement));
    }
}

TEST_CASE("a warning gives a bug away, but for those that the program has itself") {
    model::Judgement judgement = judged(Verdict::accepted, Verdict::wrong_answer);
    model::Diagnostic warning;
    warning.severity = model::Severity::warning;
    judgement.compile.diagnostics.push_back(warning);
    CHECK_FALSE(worth(judgement, 0));
    CHECK(worth(judgement, 1));
}

TEST_CASE("what does not compile is not worth repairing") {
    model::Judgement judgement = judged(Verdict::accepted, Verdict::wrong_answer);
    judgement.compile.ok = false;
    CHECK_FALSE(worth(judgement));
}

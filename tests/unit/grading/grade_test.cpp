#include "grading/grade.h"

#include <doctest/doctest.h>

using namespace model;
using events::CaseEnded;
using events::Finding;

namespace {

const std::string overflow_report = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6\n"
                                    "    #0 0x5 in exercise::f(float*) ./f.cpp:11\n";
const std::string too_large = "==7==AddressSanitizer: hard rss limit exhausted (1536Mb vs 1600Mb)\n";

Finding wrong_value() {
    return {.kind = Finding::Kind::mismatch,
            .mismatch = Mismatch{.what = "out", .expected = "1", .got = "2"}};
}
Finding death(Fate fate, int code) {
    return {.kind = Finding::Kind::died, .function = "f", .fate = fate, .code = code};
}

/// A problem of two tests, the second hidden, and a run of both.
struct GradedRun {
    Problem problem;
    events::DriverRun run;

    GradedRun() {
        problem.files = {"f.cpp"};
        problem.tests = {{.name = "a", .points = 12, .hint = "hint a"},
                         {.name = "b",
                          .points = 8,
                          .visibility = Visibility::hidden,
                          .hint = "hint b",
                          .detail = Detail::verdict}};
        run.complete = true;
        run.events.push_back(events::CasesEvent{{"a", "b", "extra"}});
    }
    void say(const events::Event& event) { run.events.push_back(event); }
    void end(const std::string& name, std::vector<Finding> findings = {}, const std::string& output = "") {
        say(CaseEnded{name, std::move(findings), std::chrono::microseconds(5), output});
    }
    std::vector<TestResult> grade() { return grading::grade(problem, problem.tests, run); }

    /// The results of a right submission once the checked build ended with this case.
    TestResult checked(std::vector<TestResult> results, std::vector<Finding> findings,
                       const std::string& output) {
        run.events.clear();
        run.complete = true;
        end("a", std::move(findings), output);
        end("b");
        apply(results);
        CHECK(results[1].verdict == Verdict::accepted);
        return results[0];
    }
    void apply(std::vector<TestResult>& results) {
        sanitizer = grading::apply_sanitizers(problem, seen(), results);
    }
    grading::CheckedEvidence seen() const {
        grading::CheckedEvidence checked;
        checked.run = run;
        checked.alone = alone;
        return checked;
    }
    std::vector<TestResult> right() {
        return {{.name = "a", .verdict = Verdict::accepted, .points = 12, .max_points = 12},
                {.name = "b", .verdict = Verdict::accepted, .points = 8, .max_points = 8}};
    }
    std::vector<SanitizerFinding> sanitizer;
    std::optional<events::DriverRun> alone;
};

} // namespace

TEST_CASE_FIXTURE(GradedRun, "a test without findings has passed, with all its points") {
    end("a", {}, "printed");
    end("b");
    const auto results = grade();
    REQUIRE(results.size() == 2);
    CHECK(results[0].verdict == Verdict::accepted);
    CHECK(results[0].points == 12);
    CHECK(results[0].max_points == 12);
    CHECK(results[0].output == "printed");
    CHECK(results[0].hint.empty());
    CHECK(results[0].duration.count() == 5);
    CHECK(results[1].visibility == Visibility::hidden);
    CHECK(results[1].detail == Detail::verdict);
}

TEST_CASE_FIXTURE(GradedRun, "a test with findings has the verdict of the first and no points") {
    end("a",
        {{.kind = Finding::Kind::assertion, .text = "first"}, wrong_value(), death(Fate::signalled, 11)});
    end("b");
    const auto results = grade();
    CHECK(results[0].verdict == Verdict::wrong_answer);
    CHECK(results[0].message == "first");
    CHECK(results[0].points == 0);
    REQUIRE(results[0].mismatch);
    CHECK(results[0].mismatch->got == "2");
    CHECK(results[1].verdict == Verdict::accepted);
}

TEST_CASE_FIXTURE(GradedRun, "results come in the manifest's order, whatever the order of events") {
    end("b");
    end("a");
    end("extra");
    const auto results = grade();
    REQUIRE(results.size() == 2);
    CHECK(results[0].name == "a");
    CHECK(results[1].name == "b");
}

TEST_CASE_FIXTURE(GradedRun, "only the tests that were to run have results") {
    end("a");
    const auto results = grading::grade(problem, {problem.tests[0]}, run);
    CHECK(results.size() == 1);
    CHECK(grading::overall(results) == Verdict::accepted);
}

TEST_CASE_FIXTURE(GradedRun, "a test that did not end is the judge's fault, with what is known") {
    end("a");
    say(events::CaseStarted{"b"});
    run.complete = false;
    run.trouble = "the driver exited with status 1";
    const auto results = grade();
    CHECK(results[0].verdict == Verdict::accepted);
    CHECK(results[1].verdict == Verdict::judge_error);
    CHECK(results[1].points == 0);
    CHECK(results[1].message ==
          "the judge itself stopped before this test ended: the driver exited with status 1");
    CHECK(grading::overall(results) == Verdict::judge_error);
}

TEST_CASE_FIXTURE(GradedRun, "an interrupted run says so, and a driver without a word is the judge's fault") {
    run.complete = false;
    run.interrupted = true;
    CHECK(grade()[0].message == "the run was interrupted before this test ended");
    run = events::DriverRun();
    CHECK(grade()[0].verdict == Verdict::judge_error);
    CHECK(grade()[0].message == "the judge itself stopped before this test ended");
}

TEST_CASE_FIXTURE(GradedRun, "a test that the suite does not have is told as such") {
    problem.tests[0].name = "renamed";
    end("b");
    CHECK(grade()[0].verdict == Verdict::judge_error);
    CHECK(grade()[0].message == "the suite has no test case of this name: manifest and suite disagree");
}

TEST_CASE("the verdict over all: the judge's faults first, then the first failure, then not implemented") {
    const auto overall = [](std::initializer_list<Verdict> verdicts) {
        std::vector<TestResult> results;
        for (const Verdict verdict : verdicts)
            results.push_back({.verdict = verdict});
        return grading::overall(results);
    };
    using enum Verdict;
    CHECK(overall({}) == judge_error);
    CHECK(overall({accepted, accepted}) == accepted);
    CHECK(overall({accepted, wrong_answer, run_time_error}) == wrong_answer);
    CHECK(overall({time_limit_exceeded, wrong_answer}) == time_limit_exceeded);
    CHECK(overall({wrong_answer, judge_error}) == judge_error);
    CHECK(overall({skipped, time_limit_exceeded}) == time_limit_exceeded);
    CHECK(overall({accepted, skipped}) == skipped);
    CHECK(overall({not_implemented, accepted}) == not_implemented);
    CHECK(overall({not_implemented, run_time_error}) == run_time_error);
}

TEST_CASE_FIXTURE(GradedRun, "a test that passes in both builds has passed") {
    const TestResult result = checked(right(), {}, "");
    CHECK(result.verdict == Verdict::accepted);
    CHECK(result.points == 12);
    CHECK(sanitizer.empty());
}

TEST_CASE_FIXTURE(GradedRun, "a finding of the checked build is a run_time_error with file, line and test") {
    const TestResult result = checked(right(), {death(Fate::exited, 99)}, overflow_report);
    CHECK(result.verdict == Verdict::run_time_error);
    CHECK(result.points == 0);
    CHECK(result.message == "f did something undefined; the checked build says where, below");
    REQUIRE(sanitizer.size() == 1);
    CHECK(sanitizer[0].file == "f.cpp");
    CHECK(sanitizer[0].line == 11);
    CHECK(sanitizer[0].test == "a");
}

TEST_CASE_FIXTURE(GradedRun,
                  "a wrong value in the checked build alone fails the test, and says where it was seen") {
    const TestResult result = checked(right(), {wrong_value()}, "");
    CHECK(result.verdict == Verdict::wrong_answer);
    CHECK(result.message.ends_with(
        "this was seen in the checked build; the optimised one behaved differently"));
    CHECK(result.mismatch);
}

TEST_CASE_FIXTURE(GradedRun, "a limit that the checked build alone meets fails the test") {
    CHECK(checked(right(), {death(Fate::timed_out, 0)}, "").verdict == Verdict::time_limit_exceeded);
    CHECK(checked(right(), {{.kind = Finding::Kind::out_of_memory, .function = "f"}}, "").verdict ==
          Verdict::memory_limit_exceeded);
    CHECK(checked(right(), {{.kind = Finding::Kind::threw, .text = "no", .type = "int"}}, "").verdict ==
          Verdict::run_time_error);
    const TestResult large = checked(right(), {death(Fate::exited, 99)}, too_large);
    CHECK(large.verdict == Verdict::memory_limit_exceeded);
    CHECK(large.message.starts_with("your program used up the memory it may have"));
    CHECK(large.points == 0);
}

TEST_CASE_FIXTURE(GradedRun,
                  "a failure of the optimised build keeps its verdict, and the finding is kept beside it") {
    auto results = right();
    results[0] = {.name = "a", .verdict = Verdict::wrong_answer, .message = "wrong value in out"};
    const TestResult result = checked(results, {death(Fate::exited, 99)}, overflow_report);
    CHECK(result.verdict == Verdict::wrong_answer);
    CHECK(result.message == "wrong value in out");
    CHECK(sanitizer.size() == 1);
}

TEST_CASE_FIXTURE(GradedRun, "a crash of the optimised build is put in the words of the finding") {
    auto results = right();
    results[0] = {.name = "a", .verdict = Verdict::run_time_error, .message = "f crashed"};
    CHECK(checked(results, {death(Fate::exited, 99)}, overflow_report).message ==
          "f did something undefined; the checked build says where, below");
    CHECK(checked(results, {death(Fate::signalled, 11)}, "").message == "f crashed");
}

TEST_CASE_FIXTURE(GradedRun, "a report that is printed but not followed by a failure is no finding") {
    CHECK(checked(right(), {}, overflow_report).verdict == Verdict::accepted);
    CHECK(sanitizer.empty());
}

TEST_CASE_FIXTURE(GradedRun, "a test that a complete checked run left out has not passed in both") {
    auto results = right();
    run.events.clear();
    end("a");
    apply(results);
    CHECK(results[0].verdict == Verdict::accepted);
    CHECK(results[1].verdict == Verdict::judge_error);
    CHECK(results[1].points == 0);
}

TEST_CASE_FIXTURE(GradedRun, "what failed in the checked build alone is repeated, and the last word counts") {
    std::vector<TestResult> results = right();
    results[1].verdict = Verdict::wrong_answer;
    run.events.clear();
    end("a", {wrong_value()});
    end("b", {wrong_value()});
    CHECK(grading::failed_in_checked_only(results, seen()) == std::vector<std::string>{"a"});
    alone = events::DriverRun{{CaseEnded{"a", {}, {}, ""}}, true};
    CHECK(grading::failed_in_checked_only(results, seen()).empty());
    apply(results);
    CHECK(results[0].verdict == Verdict::accepted);
    CHECK(results[0].points == 12);
}

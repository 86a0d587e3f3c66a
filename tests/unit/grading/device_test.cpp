#include "grading/device.h"

#include "emulator/trace_json.h"
#include "grading/device_words.h"

#include <doctest/doctest.h>

using namespace model;
using emulator::FindingKind;
using events::CaseEnded;

namespace {

emulator::Trace race() {
    emulator::Trace trace;
    trace.traced = true;
    trace.findings.push_back({.kind = FindingKind::race_in_block,
                              .message = "Two threads use the same bytes.",
                              .kernel = "sum",
                              .thread = {{1, 0, 0}, {5, 0, 0}},
                              .where = {"f.cu", 14, 0},
                              .other = {"f.cu", 17, 0},
                              .other_thread = {{1, 0, 0}, {6, 0, 0}},
                              .count = 3});
    return trace;
}

/// A kernel that moves 32 sectors for 128 useful bytes in line 9.
emulator::Trace uncoalesced() {
    emulator::Trace trace;
    trace.traced = true;
    trace.kernels.push_back({.kernel = "copy",
                             .launched = {"f.cu", 20, 0},
                             .launches = 1,
                             .threads = 32,
                             .sectors = 32,
                             .bytes_moved = 1024,
                             .useful_bytes = 128,
                             .minimum_bytes = 128,
                             .bank_conflicts = 2,
                             .lines = {{.where = {"f.cu", 9, 0},
                                        .kind = emulator::AccessKind::load,
                                        .requests = 1,
                                        .accesses = 32,
                                        .sectors = 32,
                                        .useful_bytes = 128,
                                        .bank_conflicts = 2}}});
    return trace;
}

/// A problem with one visible and one hidden test, both of which passed without the trace.
struct Setup {
    Problem problem;
    std::vector<TestResult> results;
    events::DriverRun run;
    std::vector<SanitizerFinding> findings;

    Setup() {
        problem.language = Language::cuda;
        problem.files = {"f.cu"};
        problem.tests = {{.name = "a", .points = 12, .hint = "hint a"},
                         {.name = "b", .points = 8, .visibility = Visibility::hidden}};
        for (const TestSpec& test : problem.tests)
            results.push_back({.name = test.name, .verdict = Verdict::accepted, .points = test.points});
        run.complete = true;
    }
    void say(const events::Event& event) { run.events.push_back(event); }
    void end(const std::string& name, const std::string& observed, std::vector<events::Finding> seen = {},
             std::uint64_t minimum = 0) {
        say(CaseEnded{name, std::move(seen), {}, "", observed, minimum});
    }
    void end(const std::string& name, const emulator::Trace& trace, std::uint64_t minimum = 0) {
        end(name, emulator::to_json(trace) + "\n", {}, minimum);
    }
    void judge() {
        grading::CheckedEvidence checked;
        checked.check = Check::trace;
        checked.run = run;
        checked.traces = grading::read_traces(run);
        findings = grading::apply_trace(problem, checked, {}, results);
    }
};

emulator::Trace quiet() {
    emulator::Trace trace;
    trace.traced = true;
    return trace;
}

bool says(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE_FIXTURE(Setup, "a trace without findings changes nothing") {
    end("a", quiet());
    end("b", quiet());
    judge();
    CHECK(findings.empty());
    CHECK(results[0].verdict == Verdict::accepted);
    CHECK(results[0].points == 12);
}

TEST_CASE_FIXTURE(Setup, "a race fails its test and names both lines and both threads") {
    end("a", race());
    end("b", quiet());
    judge();
    REQUIRE(findings.size() == 1);
    CHECK(kind_name(findings[0]) == "race_in_block");
    CHECK(findings[0].file == "f.cu");
    CHECK(findings[0].line == 14);
    CHECK(findings[0].test == "a");
    CHECK(says(findings[0].text, "f.cu:17"));
    CHECK(results[0].verdict == Verdict::run_time_error);
    CHECK(results[0].points == 0);
    CHECK(says(results[0].message, "at f.cu:14"));
    CHECK(says(results[0].message, "thread (5, 0, 0) of block (1, 0, 0)"));
    CHECK(says(results[0].message, "__syncthreads()"));
    CHECK(results[1].verdict == Verdict::accepted);
}

TEST_CASE_FIXTURE(Setup, "in one warp the advice is a barrier that diverged threads can reach") {
    emulator::Trace trace = race();
    trace.findings[0].in_one_warp = true;
    end("a", trace);
    end("b", quiet());
    judge();
    CHECK(says(results[0].message, "__syncwarp()"));
    CHECK_FALSE(says(results[0].message, "__syncthreads()"));
}

TEST_CASE_FIXTURE(Setup, "a place outside of the learner's files is not named") {
    emulator::Trace trace = race();
    trace.findings[0].where.file = "/etc/passwd";
    end("a", trace);
    end("b", quiet());
    judge();
    CHECK(findings[0].file.empty());
    CHECK(findings[0].line == 0);
    CHECK_FALSE(says(results[0].message, "passwd"));
}

TEST_CASE("a call that led to a finding is named, in the learner's files alone") {
    emulator::Finding finding = race().findings.front();
    CHECK(grading::describe(finding, "a", {"f.cu"}).text.find("called at") == std::string::npos);
    finding.callers = {{"f.cu", 30, 0}, {"other.h", 3, 0}};
    const std::string text = grading::describe(finding, "a", {"f.cu"}).text;
    CHECK(text.find("called at f.cu:30") != std::string::npos);
    CHECK(text.find("other.h") == std::string::npos);
}

TEST_CASE_FIXTURE(Setup, "a test that the traced build leaves out keeps its verdict") {
    end("a", quiet());
    say(CaseEnded{.name = "b", .left_out = true});
    judge();
    CHECK(results[1].verdict == Verdict::accepted);
    CHECK(results[1].points == 8);
}

TEST_CASE_FIXTURE(Setup, "no trace is no pass") {
    end("a", "no JSON\n{\"schema\":\"engine.trace/1\"}\n");
    end("b", quiet());
    judge();
    CHECK(results[0].verdict == Verdict::run_time_error);
    CHECK(says(results[0].message, "did not report on its kernels"));
    CHECK(results[1].verdict == Verdict::accepted);
}

TEST_CASE_FIXTURE(Setup, "a test that the traced run never reached is a judge error") {
    end("b", quiet());
    judge();
    CHECK(results[0].verdict == Verdict::judge_error);
}

TEST_CASE_FIXTURE(Setup, "what fails in the traced run alone fails, at its limits too") {
    end("a", emulator::to_json(quiet()) + "\n",
        {{.kind = events::Finding::Kind::assertion, .text = "does not hold"}});
    end("b", emulator::to_json(quiet()) + "\n",
        {{.kind = events::Finding::Kind::died, .function = "f", .fate = model::Fate::timed_out}});
    judge();
    CHECK(results[0].verdict == Verdict::wrong_answer);
    CHECK(says(results[0].message, "traced build"));
    CHECK(results[1].verdict == Verdict::time_limit_exceeded);
    CHECK(results[1].points == 0);
}

TEST_CASE_FIXTURE(Setup, "a verdict that is not implemented or too slow is kept") {
    end("a", race());
    end("b", race());
    results[0].verdict = Verdict::not_implemented;
    results[1].verdict = Verdict::time_limit_exceeded;
    results[1].message = "too slow";
    judge();
    CHECK(results[0].verdict == Verdict::not_implemented);
    CHECK(results[1].verdict == Verdict::time_limit_exceeded);
    CHECK(results[1].message == "too slow");
}

TEST_CASE_FIXTURE(Setup, "traffic is free where the manifest sets no limit") {
    end("a", uncoalesced());
    end("b", quiet());
    judge();
    CHECK(findings.empty());
    CHECK(results[0].verdict == Verdict::accepted);
}

TEST_CASE_FIXTURE(Setup, "traffic above a limit fails its test at the line that costs most") {
    problem.tests[0].traffic = TrafficLimits{.moved_at_most = 8.5, .coalescing_at_least = 0.5};
    end("a", uncoalesced());
    end("b", quiet());
    judge();
    REQUIRE(findings.size() == 1);
    CHECK(kind_name(findings[0]) == "uncoalesced");
    CHECK(findings[0].line == 9);
    CHECK(results[0].verdict == Verdict::wrong_answer);
    CHECK(says(results[0].message, "12.5 %")); // 128 of 1024 bytes
    CHECK(says(results[0].message, "32 sectors of 32 bytes for 128 bytes"));
}

TEST_CASE_FIXTURE(Setup, "the suite's minimum counts before the kernel's own") {
    problem.tests[0].traffic = TrafficLimits{.moved_at_most = 8};
    end("a", uncoalesced(), 128);
    end("b", quiet());
    judge();
    CHECK(results[0].verdict == Verdict::accepted); // 1024 bytes are exactly 8 times 128
    run.events.clear();
    end("a", uncoalesced(), 127);
    end("b", quiet());
    judge();
    CHECK(results[0].verdict == Verdict::wrong_answer);
    CHECK(kind_name(findings[0]) == "too_much_traffic");
}

TEST_CASE_FIXTURE(Setup, "bank conflicts are limited by number") {
    problem.tests[0].traffic = TrafficLimits{.bank_conflicts_at_most = 2};
    end("a", uncoalesced());
    end("b", quiet());
    judge();
    CHECK(results[0].verdict == Verdict::accepted);
    problem.tests[0].traffic->bank_conflicts_at_most = 1;
    judge();
    CHECK(results[0].verdict == Verdict::wrong_answer);
    CHECK(kind_name(findings[0]) == "bank_conflicts");
}

TEST_CASE_FIXTURE(Setup, "the table holds a kernel once, from the visible test in which it moved most") {
    emulator::Trace more = uncoalesced();
    more.kernels[0].bytes_moved = 9999;
    problem.tests.push_back({.name = "c"});
    end("a", uncoalesced());
    end("b", more);
    end("c", uncoalesced());
    auto table = grading::traffic_table(problem, grading::read_traces(run));
    REQUIRE(table.size() == 1);
    CHECK(table[0].test == "a"); // b is hidden
    CHECK(table[0].coalescing_efficiency() == doctest::Approx(0.125));
    CHECK(table[0].lines.at(0).where.line == 9);
    run.events.pop_back();
    end("c", more);
    table = grading::traffic_table(problem, grading::read_traces(run));
    CHECK(table.at(0).test == "c");
    CHECK(table.at(0).bytes_moved == 9999);
    problem.tests[0].traffic = TrafficLimits{.moved_at_most = 100};
    table = grading::traffic_table(problem, grading::read_traces(run));
    CHECK(table.at(0).test == "a"); // its sizes were chosen for this
}

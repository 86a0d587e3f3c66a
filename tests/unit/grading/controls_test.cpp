#include "grading/controls.h"

#include "emulator/trace_json.h"
#include "evidence_builder.h"

#include <doctest/doctest.h>

using events::WorkerEnded;
using grading::unproven;
using model::Check;
using Names = std::set<std::string>;

namespace {

/// What GCC's sanitizer says of the control {100, 3}, and what a later one says.
const std::string report = "==2==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60b0\n"
                           "WRITE of size 1 at 0x60b0 thread T0\n"
                           "0x60b0 is located 3 bytes to the right of 100-byte region [0x6,0x7)\n";
const std::string later_report = "==2==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60b0\n"
                                 "WRITE of size 1 at 0x60b0 thread T0\n"
                                 "0x60b0 is located 3 bytes after 100-byte region [0x6,0x7)\n";

grading::CheckedEvidence with(Check check, WorkerEnded ended) {
    grading::CheckedEvidence checked;
    checked.check = check;
    checked.run = grading_test::whole_run({grading_test::pass("a"), grading_test::pass("b")});
    checked.run->events.emplace_back(std::move(ended));
    return checked;
}

Names by_sanitizer(const std::string& shown) {
    return unproven(with(Check::sanitizers, {{"a", "b"}, {100, 3}, shown}));
}

/// What ThreadSanitizer says of the control {100, 3}.
const std::string race_report =
    "WARNING: ThreadSanitizer: data race (pid=2)\n"
    "  Write of size 1 at 0x7b1c00000003 by thread T1:\n"
    "  Previous write of size 1 at 0x7b1c00000003 by main thread:\n"
    "  Location is heap block of size 100 at 0x7b1c00000000 allocated by main thread:\n";

Names by_races(const std::string& shown, model::Control control = {100, 3}) {
    return unproven(with(Check::races, {{"a", "b"}, control, shown}));
}

/// 64 threads read every third float, and all write one: 2 warps of 12 sectors and the one that is written.
emulator::Trace right_trace() {
    emulator::Trace trace;
    trace.traced = true;
    trace.kernels = {{.kernel = model::control_kernel,
                      .test = {},
                      .launched = {},
                      .threads = 64,
                      .sectors = 26,
                      .lines = {}}};
    trace.findings = {{.kind = model::FindingKind::race_in_block, .kernel = model::control_kernel}};
    return trace;
}

Names by_trace(const emulator::Trace& trace) {
    return unproven(with(Check::trace, {{"b"}, {64, 3}, emulator::to_json(trace)}));
}

} // namespace

TEST_CASE("a sanitizer that names the control's write, by its numbers, proves the tests of its worker") {
    CHECK(by_sanitizer(report).empty());
    CHECK(by_sanitizer(later_report).empty());
}

TEST_CASE("a race that is told of the control's memory, at its place, proves the tests of its worker") {
    CHECK(by_races(race_report).empty());
    CHECK(by_races("") == Names{"a", "b"});
    CHECK(by_races(race_report, {100, 4}) == Names{"a", "b"});
    CHECK(by_races(race_report, {101, 3}) == Names{"a", "b"});
    CHECK(by_races(report) == Names{"a", "b"});
}

TEST_CASE("a worker without its control, or with another one, proves nothing") {
    const auto but = [](std::string text, const std::string& from, const std::string& to) {
        return text.replace(text.find(from), from.size(), to);
    };
    CHECK(by_sanitizer("") == Names{"a", "b"});
    CHECK(by_sanitizer(but(report, "3 bytes", "2 bytes")) == Names{"a", "b"});
    CHECK(by_sanitizer(but(report, "100-byte", "101-byte")) == Names{"a", "b"});
    CHECK(by_sanitizer(but(report, "WRITE of size 1", "READ of size 1")) == Names{"a", "b"});
    CHECK(by_sanitizer(but(report, "heap-buffer-overflow", "heap-use-after-free")) == Names{"a", "b"});
}

TEST_CASE("a trace that counts the control's sectors and sees its race proves the test") {
    CHECK(by_trace(right_trace()).empty());
}

TEST_CASE("a trace that misses the race or a sector proves nothing") {
    emulator::Trace trace = right_trace();
    trace.findings.clear();
    CHECK(by_trace(trace) == Names{"b"});
    trace = right_trace();
    trace.kernels[0].sectors = 25;
    CHECK(by_trace(trace) == Names{"b"});
    trace = right_trace();
    trace.kernels[0].threads = 63;
    CHECK(by_trace(trace) == Names{"b"});
    trace = right_trace();
    trace.kernels[0].kernel = "mine";
    CHECK(by_trace(trace) == Names{"b"});
}

TEST_CASE("a repetition has the last word on its test") {
    grading::CheckedEvidence checked = with(Check::sanitizers, {{"a", "b"}, {100, 3}, ""});
    checked.alone = grading_test::whole_run({grading_test::pass("a")});
    checked.alone->events.emplace_back(WorkerEnded{{"a"}, {100, 3}, report});
    CHECK(unproven(checked) == Names{"b"});
    checked.alone->events.back() = WorkerEnded{{"a"}, {100, 3}, ""};
    CHECK(unproven(checked) == Names{"a", "b"});
}

TEST_CASE("a test that is accepted but not proven fails with a sentence of its own") {
    grading::Evidence evidence = grading_test::sanitized();
    evidence.checks[0].run->events.emplace_back(WorkerEnded{{"a"}, {100, 3}, ""});
    std::vector<model::TestResult> results{{.name = "a", .verdict = model::Verdict::accepted, .points = 12},
                                           {.name = "b", .verdict = model::Verdict::accepted, .points = 8}};
    grading::refuse_unproven(evidence.checks[0], results);
    CHECK(results[0].verdict == model::Verdict::run_time_error);
    CHECK(results[0].points == 0);
    CHECK(results[0].message.starts_with("not proven: the checked build"));
    CHECK(results[1].points == 8);
}

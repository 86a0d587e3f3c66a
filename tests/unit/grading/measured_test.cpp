// How fast a submission is, from what its timed cases showed.
#include "evidence_builder.h"
#include "grading/measured.h"

#include <doctest/doctest.h>

using namespace grading_test;
using grading::CheckedEvidence;
using model::MeasuredCall;

namespace {

DriverRun timed_run(CaseEnded ended) {
    DriverRun run;
    run.complete = true;
    run.events = {events::CasesEvent{{"t"}}, events::CaseStarted{"t"}};
    run.events.push_back(std::move(ended));
    return run;
}

CaseEnded measuring(std::uint64_t bytes, std::vector<double> times = {}) {
    return {.name = "t", .minimum_traffic = bytes, .measured = "lookup", .times_us = std::move(times)};
}

CheckedEvidence counted(CaseEnded ended) {
    CheckedEvidence traced{program(timed_run(std::move(ended))), Check::trace, true, {}};
    emulator::Trace trace = traced_too().checks[0].traces.at("a");
    trace.kernels = {{.kernel = "gather", .bytes_moved = 100}, {.kernel = "add", .bytes_moved = 60}};
    traced.traces = {{"t", trace}};
    return traced;
}

CheckedEvidence on_gpu(CaseEnded ended) {
    return {program(timed_run(std::move(ended))), Check::gpu, true, {}};
}

} // namespace

TEST_CASE("without a GPU a call has its traffic, all kernels together, and no time") {
    const auto calls = grading::measured_calls(counted(measuring(80)), nullptr);
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].title == "t");
    CHECK(calls[0].function == "lookup");
    CHECK(calls[0].kernels == std::vector<std::string>{"gather", "add"});
    CHECK(calls[0].moved_bytes == 160);
    CHECK(calls[0].allowed_share() == 0.5);
    CHECK(!calls[0].time);
}

TEST_CASE("time is a median with half the distance of the quartiles, and bytes are those of one call") {
    const CheckedEvidence gpu = on_gpu(measuring(5000, {50, 10, 40, 30, 20}));
    const auto calls = grading::measured_calls(counted(measuring(80)), &gpu);
    REQUIRE(calls[0].time);
    CHECK(calls[0].time->calls == 5);
    CHECK(calls[0].time->us == 30);
    CHECK(calls[0].time->spread_us == 10);
    CHECK(calls[0].time->bytes == 1000);
    CHECK(calls[0].time->useful_rate() == doctest::Approx(1000 / 30e-6));
}

TEST_CASE("a wrong answer has no time, wherever it was wrong") {
    CaseEnded wrong_there = measuring(0);
    wrong_there.findings = {wrong()};
    const CheckedEvidence gpu = on_gpu(wrong_there);
    const auto there = grading::measured_calls(counted(measuring(80)), &gpu);
    CHECK(there[0].trouble.find("does not hold") != std::string::npos);
    CHECK(there[0].trouble.find("on the GPU") != std::string::npos);
    CHECK(!there[0].time);

    const CheckedEvidence right = on_gpu(measuring(80, {1}));
    const auto here = grading::measured_calls(counted(wrong_there), &right);
    CHECK(!here[0].trouble.empty());
    CHECK(!here[0].time);
}

TEST_CASE("a run that broke off says so") {
    DriverRun run = timed_run(measuring(1));
    run.events.pop_back();
    run.trouble = "the driver was killed";
    const auto calls = grading::measured_calls({program(run), Check::trace, true, {}}, nullptr);
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].trouble.find("the driver was killed") != std::string::npos);
    CHECK(grading::measured_calls({no_program("what?"), Check::trace, true, {}}, nullptr).empty());
}

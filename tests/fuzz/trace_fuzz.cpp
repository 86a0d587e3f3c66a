// What a process that a submission shares says of its kernels, read and weighed.
#include "fuzz/target.h"

#include "emulator/trace_json.h"
#include "grading/device.h"
#include "grading/traffic.h"

namespace {

model::Problem limited() {
    model::TestSpec test;
    test.name = "a test";
    test.traffic = model::TrafficLimits{1.5, 0};
    model::Problem problem;
    problem.files = {"scan.cu"};
    problem.tests = {test};
    return problem;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const model::Problem problem = limited();
    const auto trace = emulator::parse_trace(fuzz::text_of(data, size));
    if (!trace) return 0;
    const std::string written = emulator::to_json(*trace);
    const auto again = emulator::parse_trace(written);
    fuzz::require(again && emulator::to_json(*again) == written, "what is written is read as it was");

    events::CaseEnded ended{"a test", {}};
    ended.observed = written + "\n" + written + "\n";
    grading::CheckedEvidence evidence;
    events::DriverRun& run = evidence.run.emplace();
    run.events = {events::CasesEvent{{"a test"}}, ended, events::RunEnded{}};
    const grading::Traces traces = grading::read_traces(run);
    std::vector<model::TestResult> results(1);
    results[0].name = "a test";
    grading::apply_trace(problem, evidence, traces, results);
    grading::traffic_table(problem, traces);
    return 0;
}

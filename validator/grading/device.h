#pragma once

#include "emulator/trace.h"
#include "harness/events.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <map>
#include <string>
#include <vector>

/// What kernels were seen to do, turned into verdicts, words and tables. A trace is the word of a process
/// that the submission shares: it can fail a test and, if it is not there, fails it too.
namespace grading {

/// The trace of each test case.
using Traces = std::map<std::string, emulator::Trace>;

/// The traces in the events of a run. What is no trace is left out.
Traces read_traces(const harness::DriverRun& run);

/// All traces as one, to ask for the lines of all at once.
emulator::Trace joined(const Traces& traces);

/// Takes what the traced run saw into the results: a test passes only if it passes in both, nothing was
/// found, and its kernels move no more than the manifest allows. `plain` are the traces of the run that
/// `results` are of. Returns the findings.
std::vector<model::SanitizerFinding> add_traced(const model::Problem& problem,
                                                std::vector<model::TestResult>& results,
                                                const harness::DriverRun& run, const Traces& traces,
                                                const Traces& plain);

/// Each kernel in the visible test in which it moved most, of those that limit traffic where it runs in one.
std::vector<model::KernelTraffic> traffic_table(const model::Problem& problem, const Traces& traces);

} // namespace grading

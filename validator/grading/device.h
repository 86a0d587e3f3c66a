#pragma once

#include "emulator/trace.h"
#include "events/event.h"
#include "grading/evidence.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <vector>

/// What kernels were seen to do, turned into verdicts, words and tables. A trace is the word of a process
/// that the submission shares: it can fail a test and, if it is not there, fails it too.
namespace grading {

/// The traces in the events of a run. What is no trace is left out.
Traces read_traces(const events::DriverRun& run);

/// All traces as one, to ask for the lines of all at once.
emulator::Trace joined(const Traces& traces);

/// Applies what the traced run saw to the results of the judged program: a test passes only if it passes in
/// both, nothing was found, and its kernels move no more than the manifest allows. Returns the findings.
/// `judged`: what the judged program told of itself.
std::vector<model::SanitizerFinding> apply_trace(const model::Problem& problem, const CheckedEvidence& traced,
                                                 const Traces& judged,
                                                 std::vector<model::TestResult>& results);

/// Each kernel in the visible test in which it moved most, of those that limit traffic where it runs in one.
std::vector<model::KernelTraffic> traffic_table(const model::Problem& problem, const Traces& traces);

} // namespace grading

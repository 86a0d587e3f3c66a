#pragma once

#include "harness/events.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <string>
#include <vector>

/// Verdicts from events, outcomes and the list of tests that were to run. Nothing here runs or reads
/// anything.
namespace grading {

/// One result for each test of the manifest that was to run, in the manifest's order. A test without an event
/// of its own is a judge_error: what did not run did not pass, and did not fail either.
std::vector<model::TestResult> grade(const model::Problem& problem,
                                     const std::vector<model::TestSpec>& selected,
                                     const harness::DriverRun& run);

/// The tests that were accepted, but failed in the run of the checked build.
std::vector<std::string> failed_in_checked_only(const std::vector<model::TestResult>& results,
                                                const harness::DriverRun& checked);

/// Takes what the sanitized run saw into the results: a test passes only if it passes in both. Returns the
/// findings.
std::vector<model::SanitizerFinding> add_sanitized(const model::Problem& problem,
                                                   std::vector<model::TestResult>& results,
                                                   const harness::DriverRun& run);

/// The verdict over all tests.
model::Verdict overall(const std::vector<model::TestResult>& results);

} // namespace grading

#pragma once

#include "events/event.h"
#include "grading/evidence.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <map>
#include <string>
#include <vector>

/// Verdicts from events, outcomes and the list of tests that were to run. Nothing here runs or reads
/// anything.
namespace grading {

/// One result for each test of the manifest that was to run, in the manifest's order. A test without an event
/// of its own is a judge_error: what did not run did not pass, and did not fail either.
std::vector<model::TestResult> grade(const model::Problem& problem,
                                     const std::vector<model::TestSpec>& selected,
                                     const events::DriverRun& run);

/// A result for each test of a submission that was not run: skipped, and without points.
std::vector<model::TestResult> not_run(const std::vector<model::TestSpec>& selected);

/// The last word of a checked program on each test: of the repeated cases, that counts.
std::map<std::string, const events::CaseEnded*> ended_cases(const CheckedEvidence& checked);

/// Whether all runs of a checked program came to their end.
bool complete(const CheckedEvidence& checked);

/// The tests that were accepted, but failed in the run of the checked build, or were not proven there.
std::vector<std::string> failed_in_checked_only(const std::vector<model::TestResult>& results,
                                                const CheckedEvidence& checked);

/// Applies what the sanitizers saw to the results of the judged program: a test passes only if it passes in
/// both. Returns the findings.
std::vector<model::SanitizerFinding> apply_sanitizers(const model::Problem& problem,
                                                      const CheckedEvidence& checked_program,
                                                      std::vector<model::TestResult>& results);

/// The verdict over all tests.
model::Verdict overall(const std::vector<model::TestResult>& results);

} // namespace grading

#pragma once

#include "grading/evidence.h"
#include "model/judgement.h"
#include "model/problem.h"
#include "model/submission.h"

#include <string>
#include <vector>

namespace grading {

/// The judgement: every rule of grading, applied to what was seen. Runs and reads nothing.
model::Judgement judge(const model::Problem& problem, const Evidence& evidence);

/// The tests that have to be repeated in a worker of their own before anything can be concluded: accepted,
/// but failed in a checked program whose one worker served them all.
std::vector<std::string> tests_to_repeat(const model::Problem& problem, const Evidence& evidence,
                                         const CheckedEvidence& checked);

/// The judgement of a submission that could not even be read; `why` is one sentence.
model::Judgement unreadable(const model::Problem& problem, const model::Submission& submission, bool graded,
                            const std::string& why);

} // namespace grading

#pragma once

#include "diagnosis/assertions.h"
#include "events/finding.h"
#include "model/problem.h"
#include "model/verdict.h"

#include <string>

namespace grading {

/// What a finding means.
model::Verdict verdict_of(const events::Finding& finding, const model::Limits& limits);

/// A finding in the learner's words: what happened, where, what to look at next; up to three lines. Learner
/// text in it is not escaped: that is the reports' business.
std::string words_for(const events::Finding& finding, const model::Limits& limits);

/// Whether the program ended itself, as it does if a check fails that it makes.
bool aborted(const events::Finding& finding);
/// The same for such a program, with the check that failed.
std::string words_for(const events::Finding& finding, const diagnosis::FailedAssertion& assertion);

} // namespace grading

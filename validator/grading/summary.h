#pragma once

#include "model/judgement.h"
#include "model/problem.h"
#include "model/submission.h"

#include <string>

namespace grading {

/// A judgement of this submission that says nothing yet.
model::Judgement blank(const model::Problem& problem, const model::Submission& submission, bool graded);

/// Draws the conclusion from tests, compile and sanitizer results: verdict, points, summary, next step,
/// questions.
void conclude(const model::Problem& problem, model::Judgement& judgement);

/// The judgement of a submission that could not even be read; `why` is one sentence.
model::Judgement unreadable(const model::Problem& problem, const std::string& shown_as, bool graded,
                            const std::string& why);

} // namespace grading

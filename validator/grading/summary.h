#pragma once

#include "model/judgement.h"
#include "model/problem.h"

#include <string>

namespace grading {

/// One sentence on what happened, by the judgement's verdict and tests.
std::string summary_of(const model::Judgement& judgement);

/// One sentence on what to do next, with the command to type.
std::string next_step(const model::Problem& problem, const model::Judgement& judgement);

} // namespace grading

#pragma once

#include "model/justification.h"
#include "model/question.h"

#include <vector>

namespace questions {

/// How the questions stand, in their order: those that `answered` does not hold are open, and what it holds
/// besides is gone, because the problem asks it no more.
model::Justification justification(const std::vector<model::Question>& questions,
                                   const model::Justification& answered);

} // namespace questions

#pragma once

#include "model/question.h"
#include "questions/formula.h"

#include <cstdint>
#include <vector>

namespace questions {

/// The question as the attempt with this seed asks it, the same on every machine: options in an order of its
/// own, one value left of each variable, and every `${formula}` filled in. Reports and marking work on drawn
/// questions alone. Throws FormulaError where a formula in a text has no value, which reading a package finds
/// out.
model::Question drawn(const model::Question& question, std::uint64_t seed);

std::vector<model::Question> drawn(const std::vector<model::Question>& questions, std::uint64_t seed);

/// The values that were drawn.
Variables values_of(const model::Question& drawn);

} // namespace questions

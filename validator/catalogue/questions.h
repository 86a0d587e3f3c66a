#pragma once

#include <string>
#include <vector>

#include "catalogue/document.h"
#include "model/problem.h"

namespace catalogue {

/// The questions of a schema-checked questions.json. Formulas are evaluated, and `mistake` fields looked up
/// among `mistakes`, the names of the problem's mistakes. Throws model::ContentError.
std::vector<model::Question> read_questions(const Document&, const std::vector<std::string>& mistakes);

} // namespace catalogue

#pragma once

#include <string>
#include <vector>

#include "catalogue/document.h"
#include "catalogue/faults.h"
#include "model/problem.h"

namespace catalogue {

/// The questions of a schema-checked questions.json. Formulas are evaluated, and `mistake` fields looked up
/// among `mistakes`, the names of the problem's mistakes. Throws model::ContentError; for a name that is not
/// there it is listed in `faults`, if given, and the name left out.
std::vector<model::Question> read_questions(const Document&, const std::vector<std::string>& mistakes,
                                            Faults* faults = nullptr);

} // namespace catalogue

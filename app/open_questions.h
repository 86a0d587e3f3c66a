#pragma once

#include "app/context.h"

#include <string>
#include <vector>

namespace app {

/// Accepted problems that have questions without an answer, in the order of the curriculum.
std::vector<std::string> problems_with_open_questions(const Context& context);

/// One line that names them and the command; empty if there are none.
std::string open_questions_line(const Context& context);

} // namespace app

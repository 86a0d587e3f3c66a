#pragma once

#include "exports/graded_class.h"

#include <vector>

namespace exports {

/// STUDENT.html: a page for each student on their own work, which names nobody else.
std::vector<File> render_feedback(const GradedClass& graded);

} // namespace exports

#pragma once

#include "exports/graded_class.h"

#include <vector>

namespace exports {

/// One page for the instructor: what needs attention, how grades are distributed, what each test and question
/// told, and all students in a table that can be sorted and filtered. It needs nothing but itself, and
/// without its script it is all there.
std::vector<File> render_dashboard(const GradedClass& graded);

} // namespace exports

#pragma once

#include "exports/graded_class.h"

#include <vector>

namespace exports {

/// An autograder for Gradescope, as a zip archive: setup.sh builds the engine from its source, and
/// run_autograder judges one submission. Gradescope handles deadlines and attempts, so the assignment in it
/// has neither, and all students have its common seed.
std::vector<File> render_autograder(const GradedClass& graded);

} // namespace exports

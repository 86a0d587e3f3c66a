#pragma once

#include "exports/graded_class.h"

#include <vector>

/// Files that platforms read, one or more a student; docs/grading.md says where their layouts are from.
namespace exports {

/// STUDENT/results.json, as Gradescope's autograders write it, out of 100 points.
std::vector<File> render_gradescope(const GradedClass& graded);

/// STUDENT/result.json of Classroom 50, which has whole numbers only: hundredths of a per cent.
std::vector<File> render_classroom50(const GradedClass& graded);

/// STUDENT/PROBLEM/results.json, version 3 of Exercism's test runners.
std::vector<File> render_exercism(const GradedClass& graded);

/// STUDENT.sarif, version 2.1.0: what the compiler said, and the lines at which tests failed.
std::vector<File> render_sarif(const GradedClass& graded);

} // namespace exports

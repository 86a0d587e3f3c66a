#pragma once

#include "exports/graded_class.h"

#include <vector>

/// Tables for spreadsheets and for the import of platforms.
namespace exports {

/// A row a student, with all that the gradebook knows of each problem.
std::vector<File> render_csv(const GradedClass& graded);

/// For the import of Canvas's gradebook.
std::vector<File> render_canvas(const GradedClass& graded);

/// For the import of Moodle's grader report.
std::vector<File> render_moodle(const GradedClass& graded);

/// The texts that students wrote as answers, for a person to mark: sorted by question, so that equal
/// questions are marked in a row.
std::vector<File> render_answers(const GradedClass& graded);

} // namespace exports

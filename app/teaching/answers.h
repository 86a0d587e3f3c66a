#pragma once

#include "gradebook/book.h"
#include "intake/entries.h"
#include "model/problem.h"

#include <vector>

namespace teaching {

/// The answers that a submission has for a problem, marked: one row for each question, none where it has no
/// file of answers. The file is answers.json in the problem's folder, or anywhere if only one problem is
/// assigned; it names the seed that its questions were drawn with. Throws model::ContentError for a file that
/// is no engine.answers/1 for the problem.
std::vector<gradebook::AnswerRow> marked_answers(const model::Problem& problem, bool alone,
                                                 const std::vector<intake::Entry>& entries);

} // namespace teaching

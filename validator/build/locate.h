#pragma once

#include "model/judgement.h"
#include "model/submission.h"

#include <string>
#include <string_view>
#include <vector>

/// Where a message belongs in what the learner sees: the path as typed, the line, the column.
namespace build {

/// Gives each diagnostic of a submission's file the text of its line, and the file's path as the learner
/// would type it.
void show_places(std::vector<model::Diagnostic>& diagnostics, const model::Submission& submission);

/// A linker's message names a function and often no line: its place becomes the first one in the submission
/// where that name is followed by a parenthesis, or else the nearest of the functions that the submission
/// defines, `defined` as `nm -C` prints them.
void place_linked(std::vector<model::Diagnostic>& diagnostics, const std::vector<std::string>& defined,
                  const model::Submission& submission);

/// Turns the columns of messages about `file` from those of `rewritten`, whose first line is extra, to those
/// of `original`; 0 where the message is about what was put in.
void correct_columns(std::vector<model::Diagnostic>& diagnostics, const std::string& file,
                     std::string_view original, std::string_view rewritten);

} // namespace build

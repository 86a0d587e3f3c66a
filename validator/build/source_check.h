#pragma once

#include "model/judgement.h"
#include "model/problem.h"
#include "model/submission.h"

#include <optional>
#include <vector>

namespace build {

/// What keeps a file from being compiled at all: it is empty, too large, holds a NUL byte or is not UTF-8.
/// `reset` is the command that puts the starter back.
std::optional<model::Diagnostic> check_source(const model::SourceFile& file, const std::string& reset);

/// The same for all files of a submission, and each that is missing.
std::vector<model::Diagnostic> check_sources(const model::Problem& problem,
                                             const model::Submission& submission);

} // namespace build

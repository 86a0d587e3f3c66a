#pragma once

#include "model/judgement.h"
#include "model/submission.h"

#include <optional>

namespace build {

/// What keeps a file from being compiled at all: it is empty, too large, holds a NUL byte or is not UTF-8.
/// `reset` is the command that puts the starter back.
std::optional<model::Diagnostic> check_source(const model::SourceFile& file, const std::string& reset);

} // namespace build

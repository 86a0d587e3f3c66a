#pragma once

#include "model/judgement.h"

#include <string>
#include <vector>

/// What the compiler said about a file that compiled (warnings), kept beside the program so that a cached
/// build says it again.
namespace build {

std::string to_note(const std::vector<model::Diagnostic>& diagnostics);
std::vector<model::Diagnostic> from_note(const std::string& note);

} // namespace build

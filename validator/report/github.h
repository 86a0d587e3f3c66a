#pragma once

#include "model/judgement.h"

#include <string>

namespace report {

/// Lines for the log of a GitHub Actions step: annotations on the learner's file, then what it printed,
/// folded away. At most 10 annotations of each kind, which is what GitHub shows of one step. No text of a
/// learner's can be a command.
std::string render_github(const model::Judgement& judgement);

} // namespace report

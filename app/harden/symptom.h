#pragma once

#include "model/judgement.h"

#include <optional>
#include <string>

namespace harden {

/// What a user of a wrong program reports: what was called, what came back and what was expected. Nothing
/// where no visible test shows that in full. Unescaped: it may hold words of the learner's.
std::optional<std::string> symptom_of(const model::Judgement& judgement);

} // namespace harden

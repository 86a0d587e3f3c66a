#pragma once

#include "model/question.h"

#include <optional>
#include <string>
#include <string_view>

namespace questions {

/// What was typed at a prompt, as an answer: letters and numbers of a drawn question become the ids that they
/// stand for as it is shown. "b", "B)" or "2"; "a c" or "ac" for several; "c a b" for an order; "a2 b1" for
/// pairs. Other kinds take the text as it is. Nothing where a letter or number stands for nothing.
std::optional<std::string> from_letters(const model::Question& drawn, std::string_view typed);

} // namespace questions

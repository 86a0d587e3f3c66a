#pragma once

#include "model/justification.h"
#include "model/question.h"

#include <cstdint>
#include <optional>
#include <string>

namespace questions {

/// What an answer is worth. Nothing of the answer itself is repeated in `says`.
struct Mark {
    /// Nothing: empty, too long, or not of the kind asked for; ask again instead of counting it.
    std::optional<model::Standing> standing;
    std::string
        says; ///< Markdown: why it is right, the misconception that was hit, or what could not be read
    std::string mistake; ///< the known wrong program that thinks the same way, or empty
};

/// Marks an answer to a drawn question by value alone: no clock, no disk. A short text is kept and never
/// judged. Throws model::ContentError where the question's own formula has no value.
Mark mark(const model::Question& drawn, const model::Answer& answer);

/// What the learner reads then, as Markdown. The explanation, which tells the answer, comes with the right
/// one or with the second wrong one; `tries` counts this answer.
std::string feedback(const model::Question& drawn, const Mark& mark, std::uint64_t tries);

} // namespace questions

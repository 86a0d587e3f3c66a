#pragma once

#include "model/problem.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace questions {

/// What an answer is worth. Nothing of the answer itself is repeated in `says`.
struct Mark {
    bool understood =
        true; ///< false: empty, too long, or not of the kind asked for; ask again instead of counting it
    bool correct = false;
    double credit = 0; ///< 0 to 1; below 1 where not correct
    std::string
        says; ///< Markdown: the explanation, the misconception that was hit, or what could not be read
    std::string mistake; ///< the known wrong program that thinks the same way, or empty
};

/// Marks by value alone: no clock, no disk. `seed` is the one that the question was shown with.
/// Throws model::ContentError where the question's own formula has no value.
Mark mark(const model::Question& question, std::string_view answer, std::uint64_t seed);

} // namespace questions

#pragma once

#include "model/names.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What a learner answered to the questions of one attempt.
namespace model {

/// An answer as text, whatever the kind of question: ids of options with blanks between them, `left=right`
/// for pairs, a number, an output or sentences.
struct Answer {
    std::string text;
    std::vector<std::size_t> met; ///< short_text: the key points that the learner found in it, from 1
};

/// Where a question stands.
enum class Standing {
    open,    ///< not answered
    wrong,   ///< by its last answer
    right,   ///< by its last answer
    written, ///< a short text: kept for an instructor, and compared by the learner alone
};

inline constexpr Names<Standing, 4> standings{{
    {Standing::open, "open"},
    {Standing::wrong, "wrong"},
    {Standing::right, "right"},
    {Standing::written, "written"},
}};

constexpr std::string_view name(Standing standing) {
    return name_of(standings, standing);
}

struct QuestionStanding {
    std::string question; ///< its id
    Standing standing = Standing::open;
    std::uint64_t tries = 0;
};

/// The questions of one attempt, in the order of the problem.
struct Justification {
    std::uint64_t attempt = 0; ///< 0 where none was recorded
    std::vector<QuestionStanding> questions;

    /// Everything answered, and nothing wrong by its last answer.
    bool complete() const {
        for (const QuestionStanding& each : questions)
            if (each.standing == Standing::open || each.standing == Standing::wrong) return false;
        return true;
    }
};

} // namespace model

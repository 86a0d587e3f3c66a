#pragma once

#include "model/judgement.h"

#include <cstddef>
#include <optional>
#include <string>

namespace report {

/// How far the learner has come: said with an acceptance.
struct Course {
    std::size_t accepted = 0;
    std::size_t problems = 0;
    std::string next; ///< the title and the id of the problem that comes next; empty after the last one
};

struct ConsoleStyle {
    bool colour = false;
    int width = 80;            ///< columns; 40 at least and 100 at most are used
    bool verbose = false;      ///< durations, every failing test in detail, what accepted tests printed
    bool timings = false;      ///< where the time went
    bool unicode = true;       ///< else nothing but ASCII
    bool plain = false;        ///< words for signs, no rules, no columns: for screen readers
    bool verdict_last = false; ///< where a screen scrolls; else the first line is what happened
    std::optional<Course> course;
};

/// What a learner reads after each save: what happened, where, what to do next.
std::string render_console(const model::Judgement& judgement, const ConsoleStyle& style);

} // namespace report

#pragma once

#include "model/judgement.h"

#include <string>

namespace report {

struct ConsoleStyle {
    bool colour = false;
    int width = 80;        ///< columns; 40 at least and 100 at most are used
    bool verbose = false;  ///< durations, every failing test in detail, what accepted tests printed
    bool timings = false;  ///< where the time went
    bool unicode = true;   ///< else nothing but ASCII
    bool questions = true; ///< lists them; else they are about to be asked
};

/// What a learner reads after each save: what happened, where, what to do next.
std::string render_console(const model::Judgement& judgement, const ConsoleStyle& style);

} // namespace report

#pragma once

#include "model/judgement.h"

#include <string>
#include <string_view>
#include <vector>

namespace report {

/// Plain text under a title, a fact a line: "seed: 7345". May hold learner text and is not escaped yet.
struct Detail {
    std::string title;
    std::string text;
};

/// What the reports for people and for CI have in common besides verdict and tests: each format puts it where
/// it can be folded away, so that none knows less than JSON. Facts without a value and empty lists are left
/// out.
std::vector<Detail> details(const model::Judgement& shown);

/// A line end in `text` appears as \n, so that it cannot pose as the next fact.
std::string one_line(std::string_view text);

/// "visible", "graded", "thorough": which tests ran, with which calls.
std::string_view depth(const model::Judgement& judgement);

/// "graded", "graded thoroughly", "practice run".
std::string_view thoroughness(const model::Judgement& judgement);

} // namespace report

#pragma once

#include "model/problem.h"

#include <string>
#include <vector>

namespace verify {

/// Concepts that no question asks about, and what is wrong with the questions of a problem for some attempt,
/// each with the file and the seed: a formula without a value, a wrong answer that is the right one for the
/// values drawn, two that are the same. Looks at 200 seeds.
std::vector<std::string> bank_gaps(const model::Problem& problem);

/// What holds of all problems together and gives the answer away: that the right option is the longest too
/// often. Nothing below ten questions of that kind, where a share says nothing.
std::vector<std::string> bank_gaps(const std::vector<const model::Problem*>& problems);

} // namespace verify

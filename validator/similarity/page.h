#pragma once

#include "similarity/compare.h"

#include <string>
#include <string_view>
#include <vector>

namespace similarity {

/// What was found for one problem.
struct ProblemResult {
    std::string problem;
    std::vector<Program> programs;
    Comparison comparison;
    std::string trouble; ///< why it may be incomplete, or empty
};

/// A table for the terminal: the pairs furthest above the baseline, `max_pairs` of them, and equal programs.
std::string table(const std::vector<ProblemResult>& results, std::size_t max_pairs);

/// One page for the instructor, with the matching parts of each pair side by side. No script, no network.
std::string page(std::string_view title, const std::vector<ProblemResult>& results, std::size_t max_pairs);

} // namespace similarity

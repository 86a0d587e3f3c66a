#pragma once

#include "harness/adversity/common.h"

#include <string>
#include <vector>

namespace harness {

/// Fewer failing calls have too many things in common.
inline constexpr std::size_t least_to_single_out = 8;

/// What came of all failing calls, as words without "in that"; empty where nothing holds for all of them.
/// From the best to the least: one or two kinds of wrong, where the wrong elements lie, which outputs are
/// wrong, and what came of most of many.
std::string effect_of_failures(const std::vector<CallFacts>& calls);

/// The same, but of calls of which no kind of wrong is known what is wrong in general.
std::string general_effect_of_failures(const std::vector<CallFacts>& calls);

} // namespace harness

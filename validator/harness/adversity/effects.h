#pragma once

#include "harness/adversity/common.h"

#include <string>
#include <vector>

namespace harness {

/// Fewer failing calls have too many things in common.
inline constexpr std::size_t least_to_single_out = 8;

/// What came of all failing calls, as words without "in that"; empty where nothing holds for all of them.
/// From the best to the least: one or two kinds of wrong, where the wrong elements lie, which outputs are
/// wrong, what came of most of many, and what is wrong in general.
std::string effect_of_failures(const std::vector<CallFacts>& calls);

} // namespace harness

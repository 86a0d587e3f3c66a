#pragma once

#include "harness/adversity/extents.h"

#include <set>
#include <string>
#include <vector>

namespace harness {

/// One call, as far as it may explain why it failed or passed.
struct CallFacts {
    Extents extents;
    std::set<std::string> circumstances; ///< "`out` has gaps between its rows"
    std::size_t number = 1;              ///< of the calls that its worker had, counted from 1
    bool failed = false;
};

/// What all failing calls share and no passing call has: "only where C is not a multiple of 4". Empty where
/// nothing of the kind holds, or where all calls failed.
std::string what_failures_share(const std::vector<CallFacts>& calls);

} // namespace harness

#pragma once

#include "harness/adversity/extents.h"

#include <map>
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
    std::map<std::string, double> numbers; ///< arguments that are numbers
    std::set<std::string> properties;      ///< what else is true of it, in words
    bool refused = false;                  ///< the contract refuses it
};

/// What all failing calls share and no passing call has: "only where C is not a multiple of 4". Empty where
/// nothing of the kind holds, or where all calls failed. The calls are of one function, and only sizes and
/// numbers that all of them have are looked at. Calls that are refused or have an empty size come to no
/// computing: where none of them fails, they are left aside, and the words say so.
std::string what_failures_share(const std::vector<CallFacts>& calls);

} // namespace harness

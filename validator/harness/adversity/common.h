#pragma once

#include "harness/adversity/extents.h"
#include "harness/places.h"

#include <map>
#include <optional>
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
    std::set<std::string> effects;         ///< what kinds of wrong came of it: "`out` is never written"
    WrongPlaces where;                     ///< in which elements
    std::optional<bool> passes_alone;      ///< where it was made again with no call before it
};

/// What all failing calls share and no passing call has: "only where C is not a multiple of 4". Empty where
/// nothing of the kind holds, or where all calls failed. The calls are of one function, and only sizes and
/// numbers that all of them have are looked at. Calls that are refused or have an empty size come to no
/// computing: where none of them fails, they are left aside, and the words say so. Where no
/// more than two kinds of wrong came of all of them, that follows: "only where T = 0: a call that is right is
/// refused", or without a cause "in that ...". Where nothing of this holds, what the places of the wrong
/// elements have in common is said: "in that only the last row of `out` is wrong". Where failing calls passed
/// when they were made again by themselves, "only after other calls" is a cause of its own.
std::string what_failures_share(const std::vector<CallFacts>& calls);

/// One or two effects as words; empty where there are more.
std::string shared_effect(const std::set<std::string>& effects);

} // namespace harness

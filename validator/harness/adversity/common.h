#pragma once

#include "harness/adversity/extents.h"
#include "harness/adversity/probe.h"
#include "harness/places.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace harness {

/// What comes of a call that ends at the page after a slot (subject/slots.h).
inline constexpr const char* past_end_is_used = "memory past the end of an argument is used";

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
    std::set<std::string> undescribed;     ///< arguments of which nobody looked at what they hold
    std::size_t least_failures = 1;        ///< fewer failing calls have too much in common
    std::uint64_t largest_id = 0;          ///< of all ids that it gets
    std::set<std::string> wrong, right;    ///< outputs with elements, by how they were found
    std::string in_general;                ///< what is wrong, where its kind is not known
    Probe probe{};                         ///< what kind of call it is
};

/// What all failing calls share and no passing call has: "only if C is not a multiple of 4", or two such
/// properties together, or up to three beside each other: "only if A, or if B". Some calls cannot show
/// a fault, as a row of one element has no order; so where nothing is without exception, the same is said of
/// what all failing calls share and few passing ones have, with their number: "only if C is not a multiple
/// of 4 (95 of 97 such calls)". Empty where nothing of the kind holds, or where all calls failed. The calls
/// are of one function, and only sizes and numbers that all of them have are looked at. Calls that are
/// refused or have an empty size come to no computing: where they pass, they are left aside, and the words
/// say so; where many calls fail, so may calls that have a size of 1 be.
///
/// Where no more than two kinds of wrong came of all of them, that follows: "only if T = 0: a valid
/// call is rejected", or without a cause the effect alone. Where nothing of this holds, what the places of
/// the wrong elements have in common is said, "only the last row of `out` is wrong", or which outputs are
/// right, or what is wrong in general, "the mean is wrong". Where failing calls passed when they were
/// made again by themselves, "only after other calls" is a cause of its own.
std::string what_failures_share(const std::vector<CallFacts>& calls);

} // namespace harness

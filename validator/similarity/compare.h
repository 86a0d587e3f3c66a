#pragma once

#include "similarity/matches.h"
#include "similarity/program.h"

#include <cstddef>
#include <vector>

namespace similarity {

/// How much independent programs of a problem have in common: of all pairs of the reference and accepted
/// variants.
struct Baseline {
    std::size_t pairs = 0;
    double usual = 0; ///< the median of their shares
    double most = 0;  ///< the largest one
};

/// Two programs of which at least one is the class's.
struct Pair {
    std::size_t first = 0;
    std::size_t second = 0;
    /// 0 to 1: tokens in matching parts, of those of the shorter program; what is in the starter does not
    /// count.
    double share = 0;
    /// How far that is on the way from the baseline's largest share to 1. Ranks pairs of several problems.
    double excess = 0;
    std::vector<Match> parts; ///< the longest first, those of the starter left out
};

struct Comparison {
    Baseline baseline;
    std::vector<Pair> pairs;  ///< above the baseline, the largest excess first
    std::size_t compared = 0; ///< pairs of different students
};

/// Shorter programs say nothing: there is one way to write them.
inline constexpr std::size_t min_own_tokens = 30;

/// Pairs of a student with himself do not count, nor those of two programs of the course or of earlier ones.
Comparison compare(const std::vector<Program>& programs, std::vector<Match> matches);

} // namespace similarity

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
    /// 0 to 1: the part of the shorter program's tokens that is in matching parts, without the starter's.
    double share = 0;
    /// How far that is on the way from the baseline's largest share to 1. Ranks pairs of several problems.
    double excess = 0;
    std::vector<Match> parts; ///< the longest first, those of the starter left out
};

struct Comparison {
    Baseline baseline;
    std::vector<Pair> pairs; ///< above the baseline, the largest excess first
};

/// Shorter programs are not compared: there are too few ways to write them.
inline constexpr std::size_t min_own_tokens = 30;

/// Leaves out pairs of one student's attempts, of two programs of the course, and of two earlier programs.
Comparison compare(const std::vector<Program>& programs, std::vector<Match> matches);

} // namespace similarity

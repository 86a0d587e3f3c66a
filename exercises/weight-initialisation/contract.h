#pragma once

#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstdint>

// V: vocabulary size (rows), C: channels (columns), e = r * C + c: number of element (r, c) in reading order

namespace exercise {
using namespace contract;

/// Output number `index` (counted from 0) of the SplitMix64 generator that starts from `seed`:
///
///     z = seed + (index + 1) * 0x9E3779B97F4A7C15
///     z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
///     z = (z ^ (z >> 27)) * 0x94D049BB133111EB
///     result z ^ (z >> 31)                               all modulo 2^64
///
/// Example: random_bits(0, 0) is 0xE220A8397B1DCDAF. (Steele, Lea and Flood, OOPSLA 2014.)
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index);

/// A uniform number in the open interval (0, 1), exactly:
///
///     ((random_bits(seed, index) >> 12) + 0.5) * 2^-52
///
/// The smallest is 2^-53 and the largest 1 - 2^-53, so log(u) and log(1 - u) are finite.
double uniform(std::uint64_t seed, std::uint64_t index);

/// Fills `table` (V, C) with independent values of the normal distribution N(0, std^2), all finite.
///
/// Element (r, c) depends only on std, seed and e, not on stride or V. You choose how to draw; the tests look
/// at the distribution and its tails. Use all bits of `uniform`. Tables of seed and seed + 1 share no draws,
/// so do not draw from `seed + e`.
///
///     uniform(random_bits(seed, e), k)    a good draw number k of element e
///
/// The caller promises std > 0 and a finite 9 * std.
void init_normal(Matrix<float> table, float std, std::uint64_t seed);

/// Fills `table` (V, C) with values of N(mean, std^2) within [a, b]. A value outside is drawn again,
/// never moved to the bound. `a` and `b` are absolute, as in PyTorch's trunc_normal_, not multiples of std;
/// they may be infinite. Otherwise as init_normal.
///
/// Refuses, and then writes nothing:
///
///     Status{Code::invalid_argument}    mean or std not finite, std <= 0, a or b NaN, a >= b
///
/// The caller promises that [a, b] contains at least a hundredth of N(mean, std^2).
Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed);

/// Sets row `padding_idx` of `table` (V, C) to +0 and leaves the others as they are. A negative index counts
/// from the end: -1 is the last row. Time scales with C, not with V. Refuses, and then writes nothing:
///
///     Status::id_out_of_range(0, padding_idx, V)    padding_idx outside [-V, V), even if C is 0
Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(random_bits) CALL(uniform) CALL(init_normal) CALL(init_truncated_normal) CALL(zero_padding_row)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

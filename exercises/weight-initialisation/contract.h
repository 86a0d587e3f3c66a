#pragma once

#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstdint>

// V: vocabulary size (rows), C: channels (columns), e: the number of an element in reading order, e = r * C +
// c

namespace exercise {
using namespace contract;

/// Output number `index` (counted from 0) of the SplitMix64 generator that starts from `seed`, computed
/// directly:
///
///     z = seed + (index + 1) * 0x9E3779B97F4A7C15
///     z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
///     z = (z ^ (z >> 27)) * 0x94D049BB133111EB
///     result z ^ (z >> 31)                               all modulo 2^64
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014; constants as
/// in Vigna's splitmix64.c. random_bits(0, 0) is 0xE220A8397B1DCDAF.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index);

/// A uniform number in the open interval (0, 1): ((random_bits(seed, index) >> 12) + 0.5) * 2^-52, exactly.
/// The smallest is 2^-53 and the largest 1 - 2^-53, so neither log(u) nor log(1 - u) is ever infinite.
double uniform(std::uint64_t seed, std::uint64_t index);

/// Fills `table` (V, C) with independent values of the normal distribution N(0, std^2).
///
/// Element (r, c) is a pure function of std, seed and e = r * C + c: not of the stride, of V, of earlier
/// calls or of the number of threads. How its numbers are drawn and transformed is yours; the judge looks at
/// the distribution, which includes its tails: each value comes from uniform numbers with 52 random bits, as
/// above, or more. `uniform(random_bits(seed, e), k)` as draw k of element e gives every element a sequence
/// of its own. Tables of different seeds are independent of each other: that of seed + 1 repeats no draws
/// of that of seed, in the same place or another. Seeds that differ by k times the constant in `random_bits`,
/// modulo 2^64, are an exception where k is no more than what a table draws, since their sequences are one
/// sequence, moved. Every value is finite, whatever the generator yields.
///
/// std > 0, and 9 * std is finite (the caller's promise). The rules of common/rules.h hold: among others, V
/// and C may be 0, and padding stays as it was.
void init_normal(Matrix<float> table, float std, std::uint64_t seed);

/// Fills `table` (V, C) with values of N(mean, std^2) that lie in [a, b], as the floats that are written: one
/// outside is drawn again, never moved to the bound. Whether it is compared before it is rounded to float or
/// after is yours. `a` and `b` are absolute values, not multiples of std, as in PyTorch's trunc_normal_;
/// infinity means that there is no bound on that side. Element (r, c) is a pure function of mean, std, a, b,
/// seed and e; otherwise as init_normal.
///
/// Refuses with Status{Code::invalid_argument}, writing nothing: mean or std not finite, std <= 0, a or b
/// NaN, a >= b. The caller promises besides that |mean| + 9 * std is finite, and that [a, b] holds at least
/// one hundredth of N(mean, std^2), so that drawing again soon ends.
Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed);

/// Sets row `padding_idx` of `table` (V, C) to +0 and leaves every other row as it is, bit for bit. A
/// negative index counts from the end: -1 is the last row. Outside [-V, V) nothing is written and the result
/// is Status::id_out_of_range(0, padding_idx, V), even where C is 0. What a call takes follows C, not V.
Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(random_bits) CALL(uniform) CALL(init_normal) CALL(init_truncated_normal) CALL(zero_padding_row)

#pragma once

#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"
#include "common/tensor.h"

#include <cstddef>
#include <cstdint>

// N: rows, C: channels, B: batch, T: time (tokens of a sequence), e: number of an element in reading order

namespace contract {

/// The values that decide about a mask. Equal values, equal mask: nothing is remembered between calls.
struct Dropout {
    float p = 0;              ///< probability that a value is dropped, in [0, 1]
    bool train = true;        ///< false: nothing is dropped and nothing is scaled
    std::uint64_t seed = 0;   ///< of the run
    std::uint64_t offset = 0; ///< how many elements came before; the caller moves it on between two calls
};

} // namespace contract

namespace exercise {
using namespace contract;

/// Whether element e survives; the caller promises p in [0, 1]. Without `train` every element survives.
///
///     uniform(seed, offset + e) >= p                    offset + e modulo 2^64
///
///     z = seed + (index + 1) * 0x9E3779B97F4A7C15       uniform as in weight-initialisation
///     z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
///     z = (z ^ (z >> 27)) * 0x94D049BB133111EB
///     uniform(seed, index) = (((z ^ (z >> 31)) >> 12) + 0.5) * 2^-52      in double, exactly
///
/// So p = 0 keeps everything and p = 1 nothing.
///
/// Example: seed 0, offset 0, p = 0.5:
///
///     e          0   1   2   3   4   5   6   7
///     survives   1   0   0   1   0   0   0   1
bool survives(Dropout dropout, std::uint64_t element);

/// Inverted dropout, from x (N, C) to out (N, C), with e = r * C + c: an element that survives becomes
/// `x / (1 - p)`, another one +0, even if it was NaN or infinite. With p = 0, or without `train`, `out` is
/// `x` bit for bit.
///
/// Refusals, in this order and also without `train`; a refused call writes nothing:
///
///     1. Status{Code::shape_mismatch}      sizes that do not fit
///     2. Status{Code::invalid_argument}    p outside [0, 1], or NaN
Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out);

// The factor 1 / (1 - p) may be formed and applied in float: off by 4 u of the value.

/// The gradient with respect to `x` of `forward` with the same `dropout`, given `dout` (N, C), the gradient
/// with respect to its `out`. The mask is not stored: compute it again. `dx` is written.
///
/// Precision and refusals as in `forward`.
Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx);

/// The end of an embedding layer, with e = (b * T + t) * C + c:
///
///     s[b, t] = tokens[b, t] + positions[t]
///     out     = dropout(s), or if `normalise` dropout((s - mean) / sqrt(variance + 1e-5))
///
/// Mean and variance are those of one row of C values; the variance is divided by C and both sums are made in
/// double. A row of equal values becomes exactly 0.
///
/// tokens and out (B, T, C), dense; positions (T, C). Refusals as in `forward`; sizes are checked even if B
/// is 0.
Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out);

// s, mean, root and every later result may be rounded to float. A result may be off by
//
//     not normalised   20 u of the value
//     normalised       2 u (10 |out| + 2 k / (1 - p))
//
// where k is the largest |s| of its row divided by sqrt(variance + 1e-5), and p counts as 0 without `train`.

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(survives) CALL(forward) CALL(backward) CALL(embed)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

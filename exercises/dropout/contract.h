#pragma once

#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"
#include "common/tensor.h"

#include <cstddef>
#include <cstdint>

// N: rows, C: channels, B: batch, T: time (tokens of a sequence), e: the number of an element in reading
// order

namespace contract {

/// What decides about a mask. Equal values, equal mask: nothing is remembered between calls.
struct Dropout {
    float p = 0;              ///< probability that a value is dropped, in [0, 1]
    bool train = true;        ///< false: nothing is dropped and nothing is scaled
    std::uint64_t seed = 0;   ///< of the run
    std::uint64_t offset = 0; ///< how many elements came before; the caller moves it on between two calls
};

} // namespace contract

namespace exercise {
using namespace contract;

/// Whether element e survives; in `train` mode, and with p in [0, 1] (the caller's promise):
///
///     uniform(seed, offset + e) >= p
///
/// `uniform` is that of the problem weight-initialisation, offset + e is modulo 2^64:
///
///     z = seed + (index + 1) * 0x9E3779B97F4A7C15
///     z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
///     z = (z ^ (z >> 27)) * 0x94D049BB133111EB
///     uniform(seed, index) = (((z ^ (z >> 31)) >> 12) + 0.5) * 2^-52      in double, exactly
///
/// So p = 0 keeps everything and p = 1 nothing; -0 is 0. Without `train` every element survives.
bool survives(Dropout dropout, std::uint64_t element);

/// Inverted dropout: an element that survives becomes `x / (1 - p)`, another one +0, whatever it was, NaN and
/// infinities included. With p = 0, or without `train`, `out` is `x` bit for bit (a signalling NaN may become
/// a quiet one).
///
/// x and out (N, C), each with a stride, overlap nowhere; e = r * C + c. The factor 1 / (1 - p) may be formed
/// and applied in float: a result may be off by 4 u of its value, u = 2^-24. The rules of common/rules.h
/// hold: among others, N and C may be 0, and padding stays as it was.
///
/// Refusals, in this order and also without `train`; a refused call writes nothing: sizes that do not fit,
/// Code::shape_mismatch; p outside [0, 1] or NaN, Code::invalid_argument.
Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out);

/// The gradient of a loss with respect to `x` of `forward` with the same `dropout`, given `dout` (N, C), its
/// gradient with respect to `out`. The mask is not stored: it is computed again. `dx` is written.
///
/// Precision and refusals as `forward`.
Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx);

/// The end of an embedding layer: `out = dropout(s)`, or `out = dropout(normalised s)` if `normalise` says
/// so, for the sum `s[b, t] = tokens[b, t] + positions[t]`. Normalised means each row of C values on its own,
/// (s - mean) / sqrt(variance + 1e-5), with the variance divided by C and both sums in double: the LayerNorm
/// of scale-and-normalise with gain 1 and bias 0.
///
/// tokens and out (B, T, C), dense; positions (T, C), with a stride; e = (b * T + t) * C + c. B, T and C may
/// be 0.
///
/// s may be rounded to float, and so may mean, root and every later result. With u = 2^-24 a result that is
/// not normalised may be off by 20 u of its value; a normalised one by 2 u times 10 |out| + 2 k / (1 - p),
/// where k is the largest |s| of its row divided by sqrt(variance + 1e-5), and p counts as 0 without `train`.
/// A normalised row whose values s are all equal, and exact in float, becomes 0 exactly if its sum is exact
/// in double.
///
/// Refusals as `forward`; sizes fit if `out` has the shape of `tokens`, and `positions` that of one sequence,
/// even where there is none.
Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(survives) CALL(forward) CALL(backward) CALL(embed)

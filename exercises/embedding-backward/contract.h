#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"
#include "common/tensor.h"

#include <cstddef>
#include <cstdint>

namespace contract {

/// How the forward call was made whose gradients are wanted.
struct BackwardOptions {
    std::size_t start = 0;         ///< tokens of each sequence that came before: token t was at start + t
    std::int64_t padding_idx = -1; ///< this token's row of wte is no parameter; negative: no such token
    float scale = 1.0F;            ///< factor of the token part, such as sqrt(C); positions have none. With
                                   ///< 0, too, it multiplies: infinity and NaN in dout make NaN
};

} // namespace contract

namespace exercise {
using namespace contract;

/// The backward pass of `out[b, t] = scale * wte[ids[b, t]] + wpe[start + t]`. With `dout` the gradient of
/// some loss with respect to `out`, it adds to both tables' gradients:
///
///     dwte[v] += scale * sum of dout[b, t] over all (b, t) with ids[b, t] == v, for every v but padding_idx
///     dwpe[start + t] += sum of dout[b, t] over all b
///
/// V: vocabulary size, P: positions, C: channels (embedding dimension), B: batch, T: time (tokens of a
/// sequence)
///
/// dout   (B, T, C), dense
/// ids    (B, T), row-major with a stride: one sequence a row
/// dwte   (V, C), row-major with a stride; holds the gradient so far
/// dwpe   (P, C), row-major with a stride; holds the gradient so far
///
/// A row may begin more than 2^31 elements after row 0. No element belongs to two of the four. The rules of
/// common/rules.h hold: among others, every size may be 0, padding stays as it was, and equal calls give
/// equal bits.
///
/// Rows that no token or position of this call has keep every bit (where B or T is 0 there are none); so
/// does row padding_idx, whose positions still get their gradient. The order of the additions is yours, and
/// `scale` may multiply terms or sums, even where one way meets an infinity and the other does not: adding
/// n terms may be off by (n + 3) * 2^-24 * (sum of the absolute values of what is added, and of what was
/// there). What a call takes, in time and memory of your own, may be in proportion to B * T * (C + 1) and to
/// V, not to V * C or to P, which may be above 2^32.
///
/// Returns `Status{}`. Refusals, in the order in which they are checked; a refused call changes nothing at
/// all:
/// 1. `dout` is not of shape (ids.rows, ids.cols, C) with C the columns of both tables:
///    `Status{Code::shape_mismatch}`, its other fields 0.
/// 2. padding_idx >= V: `Status{Code::invalid_argument, 0, padding_idx, V}`.
/// 3. start + T > P, as a sum of numbers that never wraps around, and also for T = 0:
///    `Status::position_out_of_range(p - start, p, P)` with p = max(start, P), as in learned-positions.
/// 4. Some id outside [0, V): `Status::id_out_of_range(b * T + t, ids[b, t], V)` for the first such id in
///    reading order.
Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(embed_backward)

#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"
#include "common/tensor.h"

#include <cstddef>

namespace exercise {
using namespace contract;

/// Adds to every token's embedding the embedding of its position, each element by one float addition:
///
///     out[b, t] = wte[ids[b, t]] + wpe[start + t]
///
/// V: vocabulary size, P: positions, C: channels (embedding dimension), B: batch,
/// T: time (tokens of a sequence)
///
/// wte    (V, C), token table, row-major with a stride
/// wpe    (P, C), position table, row-major with a stride
/// ids    (B, T), row-major with a stride: one sequence a row
/// start  how many tokens of each sequence came before this call
/// out    (B, T, C), dense; overlaps no input
///
/// The rules of common/rules.h hold: among others, V, P, C, B and T may be 0. The sum of a quiet NaN and
/// anything but a NaN is that NaN, bit for bit; where both are NaN or one is signalling, and for infinity
/// minus infinity, any NaN will do. Every other sum is compared bit for bit, the sign of a zero included.
///
/// Returns `Status{}` after writing all of `out`.
///
/// Refusals, in the order in which they are checked; a refused call writes nothing at all:
/// 1. `wpe.cols != wte.cols` or `out` is not of shape (ids.rows, ids.cols, wte.cols):
///    `Status{Code::shape_mismatch}`, its other fields 0.
/// 2. start + T > P, as a sum of numbers that never wraps around, and also for T = 0:
///    `Status::position_out_of_range(p - start, p, P)` with p = max(start, P), the first position from
///    `start` on that does not exist. `value` is p converted to std::int64_t, so a p of 2^63 or more shows
///    as p - 2^64.
/// 3. Some id outside [0, V): `Status::id_out_of_range(b * T + t, ids[b, t], V)` for the first such id in
///    reading order: sequence by sequence, and within a sequence from left to right.
Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(embed)

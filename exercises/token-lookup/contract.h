#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

namespace exercise {
using namespace contract;

/// Copies row `ids[i]` of the embedding table to row i of `out`, bit for bit.
///
/// V: vocabulary size, C: channels (embedding dimension), T: number of ids
///
/// table  (V, C), row-major: row r begins at `table.data + r * table.stride`
/// ids    (T), may be empty
/// out    (T, C), row-major with its own stride; overlaps neither `table` nor `ids`
///
/// The rules of common/rules.h hold: among others, V, C and T may be 0, and padding stays as it was.
///
/// Returns `Status{}` after writing the T * C values of `out` and nothing else.
///
/// Refusals, in the order in which they are checked; a refused call writes nothing at all:
/// 1. `out.rows != T` or `out.cols != C`: `Status{Code::shape_mismatch}`, its other fields 0.
/// 2. Some id outside [0, V): `Status::id_out_of_range(i, ids[i], V)` for the smallest such i.
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(lookup)

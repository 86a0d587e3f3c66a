#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/status.h"

namespace exercise {
using namespace contract;

/// Copies row `ids[i]` of the embedding table to row i of `out`, bit for bit.
///
/// V: vocabulary size, C: channels (embedding dimension), T: number of ids
///
/// table  (V, C), row-major, row r begins at `table.data + r * table.stride`
/// ids    (T)
/// out    (T, C), does not overlap `table` or `ids`
///
/// Every id must lie in [0, V). Otherwise nothing is written and the result is
/// `Status::id_out_of_range(i, ids[i], V)` for the first such i. Sizes that do not fit each other
/// (`out.rows != T` or `out.cols != table.cols`) are `Code::shape_mismatch`, checked first, and again nothing is written.
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(lookup)

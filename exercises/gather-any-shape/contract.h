#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/status.h"
#include "common/strided_ids.h"

namespace exercise {
using namespace contract;

/// Copies one row of the embedding table for each id of a view of any shape, bit for bit.
///
/// V: vocabulary size, C: channels (embedding dimension), N: number of ids, `ids.count()`
///
/// table  (V, C), row r begins at `table.data + r * table.stride`; V * stride may exceed 2^31
/// ids    any shape of at most four axes, through strides (common/strided_ids.h)
/// out    (N, C), does not overlap `table` or `ids`; row n belongs to the n-th id in reading order: the last
/// axis
///        counts fastest, whatever the strides are. What lies between `cols` and `stride` stays as it is.
///
/// Every id must lie in [0, V). Otherwise nothing is written and the result is
/// `Status::id_out_of_range(n, id, V)` for the first such n in reading order. Sizes that do not fit each
/// other
/// (`out.rows != N` or `out.cols != table.cols`) are `Status{Code::shape_mismatch}`, checked first, and again
/// nothing is written. No ids, or no channels, is fine.
Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out);

/// The same for ids of 64 bits.
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(gather32) CALL(gather64)

#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"
#include "common/strided_ids.h"

namespace exercise {
using namespace contract;

/// Copies one row of the embedding table for each id of a view of any shape, bit for bit.
///
/// V: vocabulary size, C: channels (embedding dimension), N: number of ids, `ids.count()`
///
/// table  (V, C), row r begins at `table.data + r * table.stride`; V * stride may exceed 2^32
/// ids    any shape of at most four axes, through strides (common/strided_ids.h); N and the offset of every
///        id fit into 64 bits
/// out    (N, C), does not overlap `table` or `ids`; row n belongs to the n-th id in reading order: the last
///        axis counts fastest, whatever the strides are
///
/// The rules of common/rules.h hold: among others, V, C and N may be 0, and padding stays as it was. Where an
/// axis has length 0 there is nothing to walk over, however long the others are.
///
/// Returns `Status{}` after writing all of `out`. Refusals, in this order; a refused call writes nothing:
/// 1. `out.rows != N` or `out.cols != table.cols`: `Status{Code::shape_mismatch}`, before an id is looked at,
///    since a stride of 0 can show more ids than there is memory.
/// 2. Some id outside [0, V): `Status::id_out_of_range(n, id, V)` for the first such n in reading order.
Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out);

/// The same for ids of 64 bits.
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(gather32) CALL(gather64)

#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"
#include "common/strided_ids.h"

namespace exercise {
using namespace contract;

/// Copies one row of the embedding table for each id of a view of any shape, bit for bit, and returns
/// `Status{}`.
///
/// table  (V, C): V tokens and C channels; V * stride may exceed 2^32
/// ids    at most four axes with any strides (common/strided_ids.h); N = `ids.count()`
/// out    (N, C): row n belongs to the n-th id in reading order, in which the last axis runs fastest
///
/// Example: the transpose of a matrix of ids, and the rows of the table that it asks for.
///
///     data 1 2 3 4 5 6    shape (3, 2), stride (1, 3)    rows 1 4 2 5 3 6
///
/// A stride of 0 shows one id many times, so N may exceed the memory: compare shapes before you read an id.
/// If one axis has length 0, there are no ids, however long the others are.
///
/// Refusals, in this order; a refused call writes nothing:
///
///     1. Status{Code::shape_mismatch}          out is not of shape (N, C)
///     2. Status::id_out_of_range(n, id, V)     an id outside [0, V): the first in reading order
Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out);

/// The same for ids of 64 bits.
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(gather32) CALL(gather64)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

namespace exercise {
using namespace contract;

/// Copies row `ids[i]` of the embedding table to row i of `out`, bit for bit, and returns `Status{}`.
///
/// table  (V, C): V tokens (the vocabulary) and C channels; rows `table.stride` elements apart
/// ids    (T): one id for each token of the text
/// out    (T, C), with its own stride
///
/// Example, with V = 3, C = 2 and T = 2:
///
///     table   10 11        ids   2 0        out   30 31
///             20 21                               10 11
///             30 31
///
/// V, T and C may be 0.
///
/// Refusals, in this order; a refused call writes nothing:
///
///     1. Status{Code::shape_mismatch}             out is not of shape (T, C)
///     2. Status::id_out_of_range(i, ids[i], V)    an id outside [0, V): the one with the smallest i
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(lookup)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

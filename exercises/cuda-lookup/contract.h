#pragma once

#include "common/device.h"
#include "common/ids.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

namespace exercise {
using namespace contract;

/// Copies row `ids[i]` of the embedding table to row i of `out`, bit for bit, on a GPU.
///
///     table   (V, C)    V tokens, C channels; may reach over more than 2^31 elements
///     ids     (N)
///     out     (N, C)    with its own stride
///     stream            gets all the work; the call returns without synchronising
///
/// Table, ids and out are in device memory, aligned to 4 bytes.
///
/// Example, with V = 2 and C = 2:
///
///     table   1 2      ids   1 7      out   3 4
///             3 4                           NaN NaN
///
/// The call cannot wait for the ids, so it refuses none. The row of an id outside [0, V) becomes C times
/// `__int_as_float(0x7fc00000)`, a quiet NaN.
///
/// Returns `Status{}`; if N or C is 0, launch nothing. Refuses, launching nothing:
///
///     Status{Code::shape_mismatch}    out is not of shape (N, C)
Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(lookup)

// Rules of all problems: common/rules.h and common/device.h. Fine print: docs/fine-print.md.

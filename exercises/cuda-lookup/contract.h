#pragma once

#include "common/device.h"
#include "common/ids.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

namespace exercise {
using namespace contract;

/// Copies row `ids[i]` of the embedding table to row i of `out`, bit for bit, on a GPU. All three lie in
/// device memory.
///
/// V: vocabulary size, C: channels (embedding dimension), N: number of ids
///
/// table   (V, C), row-major: row r begins at `table.data + r * table.stride`. May reach over more than 2^31
///         elements
/// ids     (N)
/// out     (N, C), row-major with its own stride; overlaps neither `table` nor `ids`
/// stream  where all the work goes. The call launches it and returns; it waits for nothing
///
/// A kernel cannot refuse an id, because the call does not wait for it. Row i of an id outside [0, V) becomes
/// C times `__int_as_float(0x7fc00000)`, a quiet NaN: the model's loss shows it at once. Pointers are aligned
/// to 4 bytes and no more. The rules of common/rules.h and common/device.h hold: among others, every size may
/// be 0, and padding stays as it was.
///
/// Returns `Status{}`, or `Status{Code::shape_mismatch}` and launches nothing where `out.rows != N` or
/// `out.cols != C`. Where N or C is 0 there is nothing to launch either.
Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(lookup)

#pragma once

#include "common/device.h"
#include "common/ids.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstddef>
#include <cstdint>

namespace contract {

/// The arguments of the forward call whose gradients are wanted.
struct BackwardOptions {
    std::size_t start = 0;         ///< tokens of each sequence that came before: token t was at start + t
    std::int64_t padding_idx = -1; ///< this token's row of wte is no parameter; negative: no such token
};

} // namespace contract

namespace exercise {
using namespace contract;

/// The gradients of `out[b, t] = wte[ids[b, t]] + wpe[start + t]` on a GPU, given `dout`, the gradient with
/// respect to `out`. They are added to the earlier contents:
///
///     dwte[v]         += sum of dout[b, t] over all (b, t) with ids[b, t] == v, in any order
///     dwpe[start + t] += 0.0f + dout[0, t] + dout[1, t] + ... + dout[B - 1, t], in this order
///
///     dout          (B, T, C), dense
///     ids           (B, T)
///     dwte, dwpe    (V, C), (P, C)
///     stream        gets all the work; the call returns without synchronising
///
/// All four are in device memory, aligned to 4 bytes.
///
/// Example, with C = 1 and gradients that were 0:
///
///     ids 2 5 2    dout 1 2 4    dwte row 2: 5, row 5: 2    dwpe 1 2 4
///
/// Atomics may add up tokens, so equal calls may differ in the last bits of dwte, but never of dwpe: sum a
/// position in float and add it once. Ids outside [0, V) and padding_idx add nothing to dwte; their positions
/// count. Rows that get nothing keep every bit. Time and memory scale with B * T * (C + 1), not with V or P;
/// offsets exceed 2^32. If B, T or C is 0, launch nothing.
///
/// Refusals, in this order, launching nothing:
///
///     1. Status{Code::shape_mismatch}                        dout is not (ids.rows, ids.cols, C), or the
///                                                            gradients do not both have C columns
///     2. Status{Code::invalid_argument, 0, padding_idx, V}   padding_idx >= V
///     3. Status::position_out_of_range(p - start, p, P)      start + T > P, even if T = 0, and without
///                                                            wrapping around; p = max(start, P)
Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream);

// A sum of n terms and the earlier contents in dwte may be off by
//
//     n u / (1 - n u) * (sum of all absolute values)

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(embed_backward)

// Rules of all problems: common/rules.h and common/device.h. Fine print: docs/fine-print.md.

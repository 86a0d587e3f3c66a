#pragma once

#include "common/device.h"
#include "common/ids.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstddef>
#include <cstdint>

namespace contract {

/// How the forward call was made whose gradients are wanted.
struct BackwardOptions {
    std::size_t start = 0;         ///< tokens of each sequence that came before: token t was at start + t
    std::int64_t padding_idx = -1; ///< this token's row of wte is no parameter; negative: no such token
};

} // namespace contract

namespace exercise {
using namespace contract;

/// The backward pass of `out[b, t] = wte[ids[b, t]] + wpe[start + t]`, on a GPU. With `dout` the gradient of
/// some loss with respect to `out`, it adds to both tables' gradients:
///
///     dwte[v]         += sum of dout[b, t] over all (b, t) with ids[b, t] == v
///     dwpe[start + t] += dout[0, t] + dout[1, t] + ... + dout[B - 1, t]
///
/// V: vocabulary size, P: positions, C: channels (embedding dimension), B: batch, T: time (tokens of a
/// sequence)
///
/// dout     (B, T, C), dense
/// ids      (B, T), row-major with a stride: one sequence a row
/// dwte     (V, C), row-major with a stride; holds the gradient so far
/// dwpe     (P, C), row-major with a stride; holds the gradient so far
/// stream   where all the work goes. The call launches it and returns; it waits for nothing.
///
/// All four lie in device memory, and none shares an element with another; one may lie in the padding of
/// another. Pointers are aligned to 4 bytes and no more. A row of `dwte` or `dwpe` may begin more than 2^32
/// elements after row 0. The rules of common/rules.h and common/device.h hold: among others, every size may
/// be 0, and padding stays as it was. Equal calls may differ in the last bits of `dwte`, in nothing else.
/// What a call takes, in time and memory, follows B * T * (C + 1), not V or P, which may be above 2^32.
///
/// Tokens: the order of the additions is free, so a row may collect by atomics. With u = 2^-24, a sum of n
/// terms and what was there may be off by n u / (1 - n u) times the sum of the absolute values of all of
/// them. Tokens of padding_idx add nothing to `dwte`, and neither do ids outside [0, V), which a kernel
/// cannot refuse. Their positions still get their gradient.
///
/// Positions: the sum over the batch is made in float, from 0.0f on and in the order of b; the result is then
/// added, once, to what was there. So equal calls give equal bits in `dwpe`.
///
/// Rows that no token or position of this call has keep every bit, and so does row padding_idx. In others the
/// sign of a zero is yours. Where B, T or C is 0 every row keeps its bits, and there is nothing to launch.
///
/// Returns `Status{}`. Refusals, in the order in which they are checked; a refused call launches nothing:
/// 1. `dout` is not of shape (ids.rows, ids.cols, C) with C the columns of both gradients:
///    `Status{Code::shape_mismatch}`, its other fields 0.
/// 2. padding_idx >= V: `Status{Code::invalid_argument, 0, padding_idx, V}`.
/// 3. start + T > P, as a sum of numbers that never wraps around, and also for T = 0:
///    `Status::position_out_of_range(p - start, p, P)` with p = max(start, P), the first position that there
///    is not, as in embedding-backward.
Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(embed_backward)

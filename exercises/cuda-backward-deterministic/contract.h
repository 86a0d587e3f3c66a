#pragma once

#include "common/device.h"
#include "common/ids.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstddef>
#include <cstdint>

namespace contract {

/// So many terms make a partial sum. Part of the result, not of the launch: another number gives different
/// bits.
constexpr std::size_t terms_of_a_partial = 16;

/// How the forward call was made whose gradients are wanted, and how to launch.
struct BackwardOptions {
    std::size_t start = 0;         ///< tokens of each sequence that came before: token t was at start + t
    std::int64_t padding_idx = -1; ///< this token's row of wte is no parameter; negative: no such token
    std::uint32_t threads = 256;   ///< of a block, a power of two from 32 to 1,024: you need not follow it
};

} // namespace contract

namespace exercise {
using namespace contract;

/// The backward pass of `out[b, t] = wte[ids[b, t]] + wpe[start + t]`, on a GPU, with the same bits in every
/// run. With `dout` the gradient of some loss with respect to `out`, it adds to both tables' gradients:
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
/// be 0, and padding stays as it was. A NaN that comes out of a sum may be any NaN.
///
/// All sums are made in float, and their order is part of the contract, so every bit is determined by the
/// arguments alone, `threads` excepted:
///
/// - A token's places are taken in reading order: (0, 0), (0, 1), ... The first 16 (terms_of_a_partial) make
///   a partial sum, the next 16 another one, and so on; the last may have fewer. A partial sum begins with
///   0.0f and adds its terms one after another. The total begins with 0.0f and adds the partial sums one
///   after another. Then the total is added, once, to what dwte held.
/// - A position's sum begins with 0.0f and adds the terms in the order of b. Then it is added, once, to what
///   dwpe held.
///
/// Tokens of padding_idx add nothing to `dwte`, and neither do ids outside [0, V). Their positions get their
/// gradient nevertheless. Rows that no token or position of this call has keep every bit, and so does row
/// padding_idx. Where B, T or C is 0 every row keeps its bits, and there is nothing to launch.
///
/// Scratch memory comes from cudaMallocAsync and goes back with cudaFreeAsync, on the same stream: neither
/// waits for anything. It holds anything at first, and may be in proportion to B * T * C and to V, but not to
/// V * C or P. Nor does the time of a call follow P, which may be above 2^32.
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

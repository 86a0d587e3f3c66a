#pragma once

#include "common/device.h"
#include "common/ids.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstddef>
#include <cstdint>

namespace contract {

/// The number of terms of a partial sum. It decides about the bits of the result, whatever the launch is.
constexpr std::size_t terms_of_a_partial = 16;

/// The arguments of the forward call whose gradients are wanted, and of the launch.
struct BackwardOptions {
    std::size_t start = 0;         ///< tokens of each sequence that came before: token t was at start + t
    std::int64_t padding_idx = -1; ///< this token's row of wte is no parameter; negative: no such token
    std::uint32_t threads = 256;   ///< of a block, a power of two from 32 to 1,024: you need not follow it
};

} // namespace contract

namespace exercise {
using namespace contract;

/// The gradients of `out[b, t] = wte[ids[b, t]] + wpe[start + t]` on a GPU, given `dout`, the gradient with
/// respect to `out`. They are added to the earlier contents:
///
///     dwte[v]         += sum of dout[b, t] over all (b, t) with ids[b, t] == v
///     dwpe[start + t] += sum of dout[b, t] over all b
///
///     dout          (B, T, C), dense
///     ids           (B, T)
///     dwte, dwpe    (V, C), (P, C)
///     stream        gets all the work; the call returns without synchronising
///
/// All four are in device memory, aligned to 4 bytes.
///
/// Sums are made in float, and their order decides every bit:
///
///     token      Take its places in reading order, (0, 0), (0, 1), ... Each 16 (terms_of_a_partial),
///                the last perhaps fewer, make a partial: 0.0f plus the terms, one after another. The total
///                is 0.0f plus the partials, one after another. Add it once to dwte.
///     position   0.0f plus the terms in the order of b. Add it once to dwpe.
///
/// Example: a token that occurs 20 times has two partials, of 16 and 4 terms.
///
/// Ids outside [0, V) and padding_idx add nothing to dwte; their positions count. Rows that get nothing keep
/// every bit. Time and scratch memory (cudaMallocAsync, cudaFreeAsync on `stream`) scale with B * T * C and
/// V, not with V * C or P; offsets exceed 2^32. If B, T or C is 0, launch nothing.
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

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(embed_backward)

// Rules of all problems: common/rules.h and common/device.h. Fine print: docs/fine-print.md.

#pragma once

#include "common/device.h"
#include "common/ids.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstddef>
#include <cstdint>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence)

namespace contract {

/// What decides about a mask, as in the problem dropout. Equal values, equal mask.
struct Dropout {
    float p = 0;              ///< probability that a value is dropped, in [0, 1]
    bool train = true;        ///< false: nothing is dropped and nothing is scaled
    std::uint64_t seed = 0;   ///< of the run
    std::uint64_t offset = 0; ///< how many elements came before; the caller moves it on between two calls
};

} // namespace contract

namespace exercise {
using namespace contract;

/// The input layer of a GPT in one pass over memory, on a GPU:
///
///     s[b, t]   = wte[ids[b, t]] + wpe[start + t]            one float addition an element
///     out[b, t] = dropout(s[b, t])
///
/// In training, element e = (b * T + t) * C + c survives if uniform(seed, offset + e) >= p, compared in
/// double, and becomes s * f with the floats f = 1.0F / (1.0F - p) and s; another one becomes +0, whatever
/// it was. Without `train` out is s, and so it is where p is 0. All of it is exact: there is one right
/// value for each element. The generator is that of the problem dropout, in 64 bits that wrap around:
///
///     z = seed + (index + 1) * 0x9E3779B97F4A7C15
///     z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
///     z = (z ^ (z >> 27)) * 0x94D049BB133111EB
///     uniform(seed, index) = (((z ^ (z >> 31)) >> 12) + 0.5) * 2^-52
///
/// wte     (V, C), wpe (P, C): float, rows `stride` elements apart; may reach over more than 2^31 elements
/// ids     (B, T), 32 bits each, rows `stride` elements apart
/// out     (B, T, C), dense; overlaps no input
/// stream  where all the work goes. The call launches it and returns; it waits for nothing.
///
/// Pointers are aligned to one element and no more. An id outside [0, V) stands for a row of NaN, which is
/// added, scaled and dropped like any other. Which NaN comes out is yours, of a sum, too; the sign of a zero
/// is not. A p of -0 is 0. The rules of common/rules.h and common/device.h hold: among others, every size may
/// be 0.
///
/// Refusals, in this order; a refused call launches nothing:
/// 1. `wpe.cols != wte.cols`, or `out` is not of shape (ids.rows, ids.cols, wte.cols):
///    `Status{Code::shape_mismatch}`.
/// 2. start + T > P, as a sum that never wraps around, and also for T = 0:
///    `Status::position_out_of_range(p - start, p, P)` with p = max(start, P), as in learned-positions.
/// 3. p outside [0, 1] or NaN, also without `train`: `Status{Code::invalid_argument}`.
/// Otherwise `Status{}`. Where B, T or C is 0 there is nothing to launch.
Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream);

/// The same, with each float of `out` rounded to bfloat16 at the very end: once, to the nearest, ties to the
/// even one. An element of `out` holds the 16 bits of an `__nv_bfloat16`.
Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(embed) CALL(embed_bf16)

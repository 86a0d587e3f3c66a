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

/// The values that decide about a mask, as in the problem dropout. Equal values, equal mask.
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
///     s[b, t]   = wte[ids[b, t]] + wpe[start + t]     one float addition an element
///     out[b, t] = dropout(s[b, t])
///
///     wte, wpe    (V, C), (P, C); may reach over more than 2^31 elements
///     ids         (B, T)
///     out         (B, T, C), dense
///     stream      gets all the work; the call returns without synchronising
///
/// In training, element e = (b * T + t) * C + c becomes, exactly,
///
///     s * f    with the float f = 1.0F / (1.0F - p), if uniform(seed, offset + e) >= p in double
///     +0       else, whatever s is
///
/// Without `train`, and if p is 0, out is s. The generator of the problem dropout, in 64 bits that wrap:
///
///     z = seed + (index + 1) * 0x9E3779B97F4A7C15
///     z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
///     z = (z ^ (z >> 27)) * 0x94D049BB133111EB
///     uniform(seed, index) = (((z ^ (z >> 31)) >> 12) + 0.5) * 2^-52
///
/// Example, with seed 0, offset 0, p = 0.5, T = 2 and C = 2:
///
///     s 1 2 3 4    mask 1 0 0 1    out 2 0 0 8
///
/// An id outside [0, V) has a row of NaN. Any NaN is accepted, but zeros need their sign. Pointers are
/// aligned to one element. If B, T or C is 0, launch nothing.
///
/// Refusals, in this order, launching nothing:
///
///     1. Status{Code::shape_mismatch}                     wpe.cols is not C, or out is not (B, T, C)
///     2. Status::position_out_of_range(p - start, p, P)   start + T > P, even if T = 0, and without
///                                                         wrapping around; p = max(start, P)
///     3. Status{Code::invalid_argument}                   p outside [0, 1] or NaN, also without train
Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream);

/// The same, with each float of `out` rounded to bfloat16 at the very end, to the nearest, ties to even. An
/// element of `out` holds the 16 bits of an `__nv_bfloat16`.
Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t stream);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(embed) CALL(embed_bf16)

// Rules of all problems: common/rules.h and common/device.h. Fine print: docs/fine-print.md.

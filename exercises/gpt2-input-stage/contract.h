#pragma once

#include "common/device.h"
#include "common/ids.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstddef>
#include <cstdint>
#include <span>

// V: vocabulary size, P: positions, C: channels, L: layers, B: batch, T: time (tokens of a sequence)

namespace contract {

/// What decides about a mask, as in the problem dropout. Equal values, equal mask.
struct Dropout {
    float p = 0;              ///< probability that a value is dropped, in [0, 1]
    bool train = true;        ///< false: nothing is dropped and nothing is scaled
    std::uint64_t seed = 0;   ///< of the run
    std::uint64_t offset = 0; ///< how many elements came before; the caller moves it on between two calls
};

/// As it is, it is GPT-2 small.
struct ModelSizes {
    std::size_t vocabulary = 50'257;
    std::size_t positions = 1'024;
    std::size_t channels = 768;
    std::size_t layers = 12;
};

/// How many numbers a GPT-2 trains, and where.
struct ParameterReport {
    std::size_t token_table = 0;    ///< V C; the head uses the same numbers again
    std::size_t position_table = 0; ///< P C
    std::size_t block = 0;          ///< one of the L blocks: 12 C^2 + 13 C
    std::size_t final_norm = 0;     ///< gain and bias, 2 C
    std::size_t total = 0;          ///< with L blocks
};

/// The state of the stage besides its two tables.
struct StageState {
    std::size_t vocabulary = 0;
    std::size_t positions = 0;
    std::size_t channels = 0;
    Dropout dropout;
};

struct HeaderResult {
    Status status;
    StageState state; ///< as a new one where the header was refused
};

} // namespace contract

namespace exercise {
using namespace contract;

// For all functions that take a stream: matrices, cubes and `parameters` lie in device memory, aligned to 4
// bytes; matrices have a stride, cubes are dense; no element that is written belongs to two views, though one
// view may lie in the padding of another. Rows may begin more than 2^31 elements after row 0. The work is
// launched on `stream`, and the call waits for nothing. A refused call launches and writes nothing. Where
// there is nothing to do there is nothing to launch either. The rules of common/rules.h and common/device.h
// hold: among others, every size may be 0, and padding stays as it was. Equal calls of `backward` may differ
// in the last bits of the gradients, within their bounds.

/// The sizes multiplied and added up; they are small enough for 64 bits.
ParameterReport parameters(ModelSizes sizes);

/// out[b, t] = dropout(wte[ids[b, t]] + wpe[start + t]), exactly as in cuda-input-embedding: element
/// e = (b * T + t) * C + c survives in training if uniform(seed, offset + e) >= p, and is then multiplied by
/// the float 1.0F / (1.0F - p); otherwise it is +0. An id outside [0, V) stands for a row of NaN.
///
/// wte (V, C), wpe (P, C), ids (B, T), out (B, T, C). Refusals, in this order:
/// 1. Sizes that do not fit: `Status{Code::shape_mismatch}`.
/// 2. start + T > P, never wrapping around, also for T = 0:
///    `Status::position_out_of_range(p - start, p, P)` with p = max(start, P).
/// 3. p outside [0, 1] or NaN, also without `train`: `Status{Code::invalid_argument}`.
Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream);

/// Adds to both gradients what `forward` with the same ids, start and dropout owes to `dout`, the gradient
/// with respect to its `out`. Let g be dout multiplied by the float 1.0F / (1.0F - p), the product rounded to
/// float, where the element survived, 0 where it did not, whatever dout is there, and dout itself without
/// `train`:
///
///     dwte[v]         += sum of g[b, t] over all (b, t) with ids[b, t] == v
///     dwpe[start + t] += sum of g[b, t] over all b
///
/// Tokens outside [0, V) have no row; their positions still get their gradient. The order of the
/// additions is yours: a sum of n terms and what was there may be off by (n + 3) * 2^-24 times the sum of
/// their absolute values; of two terms onto 0 there is only one right sum, in float. Rows that no token or
/// position of this call has keep every bit. dout (B, T, C), dwte (V, C), dwpe (P, C). Refusals as in
/// `forward`.
Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream);

/// The tied head, for the last position only: logits[b, v] = sum over c of hidden[b, T - 1, c] * wte[v, c],
/// off by at most (C + 1) * 2^-24 times the sum of the absolute values of its terms; 0 where C is 0.
/// Equal calls give equal bits.
///
/// hidden (B, T, C), wte (V, C), logits (B, V). Sizes that do not fit: `Status{Code::shape_mismatch}`.
/// Then T = 0, which has no last position, even where B or V is 0: `Status{Code::invalid_argument}`.
Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream);

/// Writes a checkpoint: `header`, 64 bytes on the host, and `parameters`, the rows of wte and then those of
/// wpe without padding, bit for bit. All numbers of the header are little-endian:
///
///     bytes  0 to 7   the letters GPT2IN01          bytes 36 to 39  train: 1 or 0
///     bytes  8 to 15  V                             bytes 40 to 47  seed
///     bytes 16 to 23  P                             bytes 48 to 55  offset
///     bytes 24 to 31  C                             bytes 56 to 63  V * C + P * C
///     bytes 32 to 35  p, the bits of the float
///
/// Refusals, in this order: wpe.cols != wte.cols, a header whose size is not 64, or a number of parameters
/// other than V * C + P * C, `Status{Code::shape_mismatch}`; p outside [0, 1] or NaN, also without `train`,
/// `Status{Code::invalid_argument}`. A p of -0 is in [0, 1], and the header keeps its bits.
Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream);

/// Reads such a header, from anywhere, so it may hold anything. `Status{Code::invalid_argument}` if it has
/// not 64 bytes, begins with other letters, a size is 2^31 or more, p is outside [0, 1] or NaN, train is
/// neither 0 nor 1, or the last number is not V * C + P * C.
HeaderResult read_header(std::span<const std::uint8_t> header);

/// Brings saved parameters back into the tables; padding stays as it was.
/// wpe.cols != wte.cols, or a number of parameters other than V * C + P * C: `Status{Code::shape_mismatch}`.
Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(parameters)                                                                                         \
    CALL(forward)                                                                                            \
    CALL(backward) CALL(last_logits) CALL(save) CALL(read_header) CALL(load)

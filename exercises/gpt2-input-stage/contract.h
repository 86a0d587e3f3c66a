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

/// The values that decide about a mask, as in the problem dropout. Equal values, equal mask.
struct Dropout {
    float p = 0;              ///< probability that a value is dropped, in [0, 1]
    bool train = true;        ///< false: nothing is dropped and nothing is scaled
    std::uint64_t seed = 0;   ///< of the run
    std::uint64_t offset = 0; ///< how many elements came before; the caller moves it on between two calls
};

/// The defaults are GPT-2 small.
struct ModelSizes {
    std::size_t vocabulary = 50'257;
    std::size_t positions = 1'024;
    std::size_t channels = 768;
    std::size_t layers = 12;
};

/// The parameters of a GPT-2, and where they are.
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

// Matrices, cubes (dense) and `parameters` are in device memory, aligned to 4 bytes; offsets may exceed 2^31.
// `stream` gets all the work, and the call returns without synchronising. A refused call launches and writes
// nothing. Without work, launch nothing.
//
// Example, with C = 2, B = T = 1 and no dropout:
//
//     wte row 3: 1 2    wpe row 0: 10 20    forward of ids 3 from start 0: out 11 22

/// The sizes multiplied and added up; everything fits into 64 bits.
ParameterReport parameters(ModelSizes sizes);

/// The forward pass, exactly as in cuda-input-embedding:
///
///     out[b, t] = dropout(wte[ids[b, t]] + wpe[start + t])
///
/// In training, element e = (b * T + t) * C + c is multiplied by the float 1.0F / (1.0F - p) if
/// uniform(seed, offset + e) >= p; otherwise it is +0. An id outside [0, V) has a row of NaN.
///
/// wte (V, C), wpe (P, C), ids (B, T), out (B, T, C). Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}                     sizes that do not fit
///     2. Status::position_out_of_range(p - start, p, P)   start + T > P, even if T = 0, and without
///                                                         wrapping around; p = max(start, P)
///     3. Status{Code::invalid_argument}                   p outside [0, 1] or NaN, also without train
Status forward(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
               std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t stream);

/// The backward pass of `forward` with the same ids, start and dropout, given `dout` (B, T, C):
///
///     g                = dout * (float) 1.0F / (1.0F - p), rounded to float, if the element survived;
///                        0 if it was dropped, whatever dout is; dout without train
///     dwte[v]         += sum of g[b, t] over all (b, t) with ids[b, t] == v
///     dwpe[start + t] += sum of g[b, t] over all b
///
/// Tokens outside [0, V) have no row; their positions count. Rows that get nothing keep every bit. Equal
/// calls may differ in the last bits. dwte (V, C), dwpe (P, C). Refusals as in `forward`.
Status backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, std::size_t start,
                Dropout dropout, DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, cudaStream_t stream);

// Sums may be made in float, in any order. A sum of n terms and the earlier contents may be off by
//
//     (n + 3) u * (sum of their absolute values)
//
// Two terms added to 0 have one right sum, in float.

/// The tied head, for the last position only:
///
///     logits[b, v] = sum over c of hidden[b, T - 1, c] * wte[v, c]
///
/// Equal calls give equal bits. hidden (B, T, C), wte (V, C), logits (B, V). Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}      sizes that do not fit
///     2. Status{Code::invalid_argument}    T = 0, even if B or V is 0
Status last_logits(DeviceTensor3<const float> hidden, DeviceMatrix<const float> wte,
                   DeviceMatrix<float> logits, cudaStream_t stream);

// The sum may be made in float, in any order. It may be off by
//
//     (C + 1) u * (sum of the absolute values of its terms)

/// Writes a checkpoint: `header`, 64 bytes on the host, and `parameters`, the rows of wte and then of wpe,
/// without padding, bit for bit. All numbers of the header are little-endian:
///
///     bytes  0 to 7   the letters GPT2IN01          bytes 36 to 39  train: 1 or 0
///     bytes  8 to 15  V                             bytes 40 to 47  seed
///     bytes 16 to 23  P                             bytes 48 to 55  offset
///     bytes 24 to 31  C                             bytes 56 to 63  V * C + P * C
///     bytes 32 to 35  p, the bits of the float
///
/// Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}      wpe.cols is not C, the header has not 64 bytes, or there are not
///                                          V * C + P * C parameters
///     2. Status{Code::invalid_argument}    p outside [0, 1] or NaN, also without train
Status save(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, Dropout dropout,
            std::span<std::uint8_t> header, DeviceSpan<float> parameters, cudaStream_t stream);

/// Reads such a header, from anywhere, so it may hold anything. Refuses:
///
///     Status{Code::invalid_argument}    not 64 bytes, other letters, a size of 2^31 or more, p or train not
///                                       as save writes them, last number not V * C + P * C
HeaderResult read_header(std::span<const std::uint8_t> header);

/// Brings saved parameters back into the tables. Refuses:
///
///     Status{Code::shape_mismatch}    wpe.cols is not C, or there are not V * C + P * C parameters
Status load(DeviceSpan<const float> parameters, DeviceMatrix<float> wte, DeviceMatrix<float> wpe,
            cudaStream_t stream);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(parameters)                                                                                         \
    CALL(forward)                                                                                            \
    CALL(backward) CALL(last_logits) CALL(save) CALL(read_header) CALL(load)

// Rules of all problems: common/rules.h and common/device.h. Fine print: docs/fine-print.md.

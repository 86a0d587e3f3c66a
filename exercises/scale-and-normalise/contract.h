#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"
#include "common/tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence), N: rows, L: layers

namespace contract {

/// In which numbers a model computes.
enum class Precision : std::int32_t {
    fp32, ///< 4 bytes
    bf16, ///< 2 bytes; Adam then keeps a copy of the weights in fp32 besides its moments
};

/// A decoder built like GPT-2, as far as counting goes.
struct Config {
    std::uint64_t vocabulary = 0;
    std::uint64_t positions = 0;
    std::uint64_t channels = 0;
    std::uint64_t layers = 0;
    bool embedding_norm = false; ///< a LayerNorm right after the embedding: BERT has one, GPT-2 has not
    bool tied = true;            ///< the output layer uses the token table instead of its own
    Precision precision = Precision::fp32;
};

/// What a model consists of, in parameters, and what they cost, in bytes.
struct Budget {
    std::uint64_t token_table = 0;
    std::uint64_t position_table = 0;
    std::uint64_t embedding_norm = 0;
    std::uint64_t blocks = 0; ///< all L of them
    std::uint64_t final_norm = 0;
    std::uint64_t head = 0; ///< what the output layer adds
    std::uint64_t total = 0;

    std::uint64_t weight_bytes = 0;
    std::uint64_t gradient_bytes = 0;
    std::uint64_t optimiser_bytes = 0;
    std::uint64_t training_bytes = 0; ///< the three together

    bool operator==(const Budget&) const = default;
};

} // namespace contract

namespace exercise {
using namespace contract;

// Every function that refuses writes nothing then.

/// `out[b, t] = sqrt(C) * wte[ids[b, t]] + wpe[t]`: only the token part is scaled (Vaswani et al. 2017,
/// section 3.4). wte (V, C), wpe (P, C), ids (B, T), out (B, T, C), dense.
///
/// Example, with C = 4:
///
///     token 1 2 3 4    position 10 10 10 10    out 12 14 16 18
///
/// Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}                      wpe.cols is not C, or out is not (B, T, C)
///     2. Status::position_out_of_range(P, P, P)            T > P
///     3. Status::id_out_of_range(b * T + t, id, V)         an id outside [0, V): the first in reading order
Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out);

// Root, product and sum may be rounded to float. An element may be off by
//
//     2 u (2 |sqrt(C) * token| + |out|)

/// The gradients of `embed_scaled`, given `dout` (B, T, C), the gradient with respect to its `out`:
///
///     dtokens[b, t] = sqrt(C) * dout[b, t]           (B, T, C), dense; written
///     dwpe[t]      += sum over b of dout[b, t]       (P, C); added to the earlier contents
///
/// Rows of dwpe from T on keep every bit, and all rows do if B is 0.
///
/// Refusals, in this order: shapes (`dtokens` like `dout`, `dwpe.cols == C`), then T > P, as before.
Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe);

// Sums may be made in float, in any order. Off by at most
//
//     dtokens  4 u of the value
//     dwpe     2 B u * (sum of the absolute values of the terms and of the earlier contents)

/// LayerNorm (Ba, Kiros and Hinton 2016), for each row of `x` (N, C); gain and bias (C), out (N, C):
///
///     mean     = sum_c x[c] / C
///     variance = sum_c (x[c] - mean)^2 / C              divided by C, not by C - 1
///     xhat[c]  = (x[c] - mean) / sqrt(variance + eps)
///     out[c]   = gain[c] * xhat[c] + bias[c]
///
/// Make the sums over c in double, and divide them by C; all else may be float. Subtract the mean before
/// squaring: a difference of large squares loses everything. A row of equal values becomes the bias. A NaN
/// makes only its own row NaN.
///
/// Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}      sizes that do not fit
///     2. Status{Code::invalid_argument}    eps is not both > 0 and finite
Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out);

// With k = max |x| / sqrt(variance + eps) in the row, out may be off by
//
//     |gain| error(xhat) + 2 u (|gain xhat| + |out|)      error(xhat) = 2 u (k + 5 |xhat|) + u^2 k^2 |xhat|
//     1e-8 + u |bias|                                     in a row of equal values

/// The gradients of `layernorm_rows`, given x and `dout` (N, C), the gradient with respect to its `out`:
///
///     dx            (N, C); written
///     dgain, dbias  (C); summed over the rows and added to the earlier contents
///
/// Make the sums over c in double. Refusals as in `layernorm_rows`; x, dout and dx have one shape.
Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias);

// With g = dout * gain, M the mean of |g| and X the largest |xhat| in the row, E half of the largest
// error(xhat), f = 1 / sqrt(variance + eps), these may be off by
//
//     dx     2 f (8 u (|g| + M + |xhat| X M) + M E (X + |xhat|))
//     dgain  sum over rows of |dout| (error(xhat) + 2 (N + 2) u |xhat|), and 2 (N + 1) u of what was there
//     dbias  2 (N + 1) u times the sum over rows of |dout|, and of what was there

/// Counts the parameters of a model, and the bytes of training it with Adam. All counts fit into 64 bits.
///
///     LayerNorm      2 C parameters
///     block          two LayerNorms; attention with weights (C, 3 C) and (C, C); an MLP with weights
///                    (C, 4 C) and (4 C, C); each of the four has a bias as wide as its second number
///     final norm     one more LayerNorm, after the last block
///     head           weights (V, C) without bias, or nothing when tied
///
///     bytes of a parameter:   weight   gradient   optimiser
///     fp32                      4         4       8: two moments in fp32
///     bf16                      2         2       12: a master copy and two moments, all in fp32
Budget count(Config config);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(embed_scaled)                                                                                       \
    CALL(embed_scaled_backward) CALL(layernorm_rows) CALL(layernorm_rows_backward) CALL(count)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

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

// The rules of common/rules.h hold: among others, every size may be 0, padding stays as it was, and what
// needs no rounding is exact. u = 2^-24.

/// `out[b, t] = sqrt(C) * wte[ids[b, t]] + wpe[t]`: the token part is scaled, the position part is not
/// (Vaswani et al. 2017, section 3.4).
///
/// wte (V, C), wpe (P, C), ids (B, T), each with a stride; out (B, T, C), dense, overlaps no input. An
/// element may be off by 2 u times 2 |sqrt(C) * token| + |out|.
///
/// Returns `Status{}` after writing all of `out`. Refusals, in this order; a refused call writes nothing:
/// 1. `wpe.cols != wte.cols`, or `out` is not of shape (ids.rows, ids.cols, wte.cols): Code::shape_mismatch.
/// 2. T > P: `Status::position_out_of_range(P, P, P)`.
/// 3. Some id outside [0, V): `Status::id_out_of_range(b * T + t, ids[b, t], V)` for the first in reading
///    order.
Status embed_scaled(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, Tensor3<float> out);

/// The gradient of a loss with respect to what `embed_scaled` summed, given `dout` (B, T, C), its gradient
/// with respect to `out`.
///
/// dtokens  (B, T, C), dense: gradient with respect to the row of `wte` that is at (b, t). Written; off
///          by at most 4 u of its value. (Places with equal ids share a row of `wte`; summing over them is
///          the task of embedding-backward.)
/// dwpe     (P, C), with a stride: the gradient of row t, summed over the batch, is added to row t; off by at
///          most 2 B u times the sum of the absolute values of the terms and of what was there. The rows from
///          T on stay as they are, bit for bit, and so do all rows where B is 0.
///
/// Refusals as above: shapes first (`dtokens` like `dout`, `dwpe.cols == C`), then T > P.
Status embed_scaled_backward(Tensor3<const float> dout, Tensor3<float> dtokens, Matrix<float> dwpe);

/// LayerNorm (Ba, Kiros and Hinton 2016), for each row of `x` (N, C) on its own:
///
///     mean     = sum_c x[c] / C
///     variance = sum_c (x[c] - mean)^2 / C              divided by C, not by C - 1
///     xhat[c]  = (x[c] - mean) / sqrt(variance + eps)
///     out[c]   = gain[c] * xhat[c] + bias[c]
///
/// The sums over c are formed in double, and no difference of large squares is taken; all else may be float.
/// With k = max |x| / sqrt(variance + eps) in the row, xhat may be off by
///
///     error(xhat) = 2 u (k + 5 |xhat|) + u^2 k^2 |xhat|
///
/// and `out` by |gain| error(xhat) + 2 u (|gain xhat| + |out|). A row of equal values comes out as the bias,
/// with an error below 1e-8 + u |bias|. A NaN makes its own row NaN and no other.
///
/// x and out (N, C), each with a stride, overlap nowhere; gain and bias (C).
///
/// Refusals, in this order; a refused call writes nothing: sizes that do not fit, Code::shape_mismatch;
/// eps that is not both > 0 and finite, Code::invalid_argument.
Status layernorm_rows(Matrix<const float> x, std::span<const float> gain, std::span<const float> bias,
                      float eps, Matrix<float> out);

/// The gradient of a loss with respect to `x`, `gain` and `bias` of `layernorm_rows`, given `dout` (N, C),
/// its gradient with respect to `out`. Nothing was kept from the forward call.
///
/// dx            (N, C), with a stride. Written.
/// dgain, dbias  (C): the gradient, summed over the rows, is added to what is there.
///
/// The sums over c are formed in double. With g = dout * gain, M the mean of |g| and X the largest |xhat| in
/// the row, E half of the largest error(xhat), f = 1 / sqrt(variance + eps), these may be off by
///
///     dx     2 f (8 u (|g| + M + |xhat| X M) + M E (X + |xhat|))
///     dgain  sum over rows of |dout| (error(xhat) + 2 (N + 2) u |xhat|), and 2 (N + 1) u of what was there
///     dbias  2 (N + 1) u times the sum over rows of |dout|, and of what was there
///
/// Refusals as `layernorm_rows`; x, dout and dx have one shape, and gain, dgain and dbias have C elements.
Status layernorm_rows_backward(Matrix<const float> x, std::span<const float> gain, float eps,
                               Matrix<const float> dout, Matrix<float> dx, std::span<float> dgain,
                               std::span<float> dbias);

/// Counts the parameters of a model, and the bytes of training it with Adam.
///
/// A LayerNorm has 2 C parameters. A block has two LayerNorms; an attention with weights (C, 3 C) and (C, C);
/// an MLP with weights (C, 4 C) and (4 C, C); and each of the four weights has a bias as wide as its second
/// number. After the last block comes one more LayerNorm, the final norm. The head has weights (V, C)
/// without bias, or nothing of its own when tied.
///
/// Bytes of a parameter:   weight   gradient   optimiser
///     fp32                   4         4      8: two moments in fp32
///     bf16                   2         2      12: a master copy and two moments, all in fp32
///
/// All counts fit into 64 bits (the caller's promise).
Budget count(Config config);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(embed_scaled)                                                                                       \
    CALL(embed_scaled_backward) CALL(layernorm_rows) CALL(layernorm_rows_backward) CALL(count)

#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstddef>
#include <cstdint>
#include <span>

// N: positions of a batch, in a row; C: channels; R: rank of a factorised table
// V: vocabulary size, a number of tokens; W: rows of the table, of which those from V on are padding rows

namespace contract {

/// What `cross_entropy` returns.
struct Loss {
    Status status;
    double mean = 0; ///< over the counted positions; 0 where there is none, or where the call is refused
    std::size_t counted = 0; ///< positions whose target is not the ignored one; 0 where the call is refused

    bool operator==(const Loss&) const = default;
};

/// A model as far as its tables go.
struct TableSizes {
    std::uint64_t vocabulary = 0;
    std::uint64_t channels = 0;
    std::uint64_t rank = 0;   ///< of a factorised token table
    std::uint64_t others = 0; ///< all parameters but those of the token table and of the head
};

/// How many parameters the choices of this problem cost.
struct TableCounts {
    std::uint64_t tied = 0;       ///< the whole model with one table of V C, used at both ends
    std::uint64_t untied = 0;     ///< the whole model with two tables of V C
    double saved_share = 0;       ///< what tying saves, as a share of `untied`; 0 where `untied` is 0
    std::uint64_t factorised = 0; ///< one token table as two factors, (V, R) and (R, C)
    std::uint64_t max_rank = 0;   ///< the largest rank with which the factors have fewer parameters than V C;
                                  ///< 0 where there is none

    bool operator==(const TableCounts&) const = default;
};

} // namespace contract

namespace exercise {
using namespace contract;

// The rules of common/rules.h hold: among others, every size may be 0, padding between rows stays as it was,
// a refused call writes nothing, and equal calls give equal bits. u = 2^-24. The order of additions is yours;
// what is added are the products as they are written here, each by itself, which shows where one is infinite
// or NaN. "Off by k roundings" means: by at most k u times the sum of the absolute values of what is added,
// what was there before included. Memory of your own may be in proportion to the elements of a call's views:
// the product of two factors, with its V * C elements, is never formed.

/// The tied head: the token table, read a second time.
///
///     logits[n, v] = sum over c of hidden[n, c] * wte[v, c]    for v < vocabulary, off by C + 1 roundings
///     logits[n, v] = -infinity                                 for the padding rows, vocabulary <= v < W
///
/// so that a padding row has probability 0, whatever it holds.
///
/// hidden (N, C), wte (W, C), logits (N, W). Refusals, in this order:
/// 1. Sizes that do not fit: `Status{Code::shape_mismatch}`.
/// 2. vocabulary > W: `Status{Code::invalid_argument, 0, vocabulary, W}`.
Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits);

/// What the head sends back into the model. Written, off by V + 1 roundings:
///
///     dhidden[n, c] = sum over v < vocabulary of dlogits[n, v] * wte[v, c]
///
/// What dlogits and wte hold for padding rows counts for nothing, be it NaN.
///
/// dlogits (N, W), wte (W, C), dhidden (N, C). Refusals as in `tied_logits`.
Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden);

/// The gradient of the one table from both its ends, added to `dwte` (W, C):
///
///     dwte[v, c] += sum over n of dlogits[n, v] * hidden[n, c]       as the head, for v < vocabulary
///                 + sum of dinput[n, c] over all n with ids[n] == v  as the lookup
///
/// A row with k terms of the second kind is off by N + k + 3 roundings. Padding rows keep every bit, and so
/// do all rows where N = 0.
///
/// ids (N): what the model read. dinput (N, C): the gradient with respect to what the lookup gave. hidden (N,
/// C) and dlogits (N, W): as above. Refusals, in this order:
/// 1. Sizes that do not fit: `Status{Code::shape_mismatch}`.
/// 2. vocabulary > W: `Status{Code::invalid_argument, 0, vocabulary, W}`.
/// 3. Some id outside [0, vocabulary): `Status::id_out_of_range(n, ids[n], vocabulary)` for the first one.
Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte);

/// Softmax and cross-entropy in one, with the gradient. Position n counts if targets[n] != ignored. With K
/// the number of positions that count, and for each of them
///
///     p[n, v] = exp(logits[n, v]) / sum over w of exp(logits[n, w])
///     mean    = 1 / K * sum over n of -ln p[n, targets[n]]
///     dlogits[n, v] = (p[n, v] - (v == targets[n] ? 1 : 0)) / K
///
/// Positions that do not count have rows of zeros in dlogits, and their logits are not looked at. Where K = 0
/// the mean is 0. A logit of -infinity has p = 0 exactly; as a target, its loss is infinite. A position that
/// counts and has a logit that is NaN or +infinity, or none above -infinity, makes the mean NaN, and every
/// element of its own row of dlogits, and of no other.
///
/// Adding one number to all logits of a row changes nothing but their rounding, and logits of 10,000 are as
/// good as others: with m the largest logit of row n, the sums over v and over n are formed in double, and
/// all else may be float, so that the mean may be off by the mean over the counted n of
///
///     u (4 + 6 ln V + 3 (m - logits[n, targets[n]]))
///
/// and an element of dlogits by 2 u / K (p (4 + ln V + m - logits[n, v]) + 3 [v == targets[n]]), and, because
/// exp may leave the normal numbers, by 2^-126 more. Two finite logits of a row differ by less than 2^127
/// (the caller's promise).
///
/// logits (N, V), targets (N), dlogits (N, V). Refusals, in this order:
/// 1. Sizes that do not fit: `Status{Code::shape_mismatch}`.
/// 2. Some target outside [0, V) that is not `ignored`: `Status::id_out_of_range(n, targets[n], V)` for the
/// first.
Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits);

/// The rows of a table that is kept as a product a b. Written, off by R + 1 roundings:
///
///     out[n, c] = sum over r of a[ids[n], r] * b[r, c]
///
/// a (V, R), b (R, C), ids (N), out (N, C). Refusals, in this order:
/// 1. Sizes that do not fit: `Status{Code::shape_mismatch}`.
/// 2. Some id outside [0, V): `Status::id_out_of_range(n, ids[n], V)` for the first.
Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out);

/// Adds the gradients of both factors, given `dout` (N, C), the gradient with respect to `out` of
/// `factor_gather`:
///
///     da[v, r] += sum over c of dout[n, c] * b[r, c], summed over all n with ids[n] == v
///     db[r, c] += sum over n of a[ids[n], r] * dout[n, c]
///
/// da (V, R) is off by k C + 3 roundings in the row of a token that occurs k times, db (R, C) by N + 3. Rows
/// of da without a token keep every bit, and so does all of db where N = 0. Refusals as in `factor_gather`.
Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db);

/// The counts of a model. Everything fits into 64 bits (the caller's promise); saved_share is off by at most
/// 2^-50.
TableCounts count(TableSizes sizes);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(tied_logits)                                                                                        \
    CALL(hidden_gradient)                                                                                    \
    CALL(table_gradient) CALL(cross_entropy) CALL(factor_gather) CALL(factor_gradient) CALL(count)

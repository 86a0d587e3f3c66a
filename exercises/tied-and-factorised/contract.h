#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstddef>
#include <cstdint>
#include <span>

// N: positions of a batch, C: channels, R: rank of a factorised table, V: vocabulary size
// W: rows of the table; those from V on are padding rows

namespace contract {

/// The result of `cross_entropy`.
struct Loss {
    Status status;
    double mean = 0; ///< over the counted positions; 0 where there is none, or where the call is refused
    std::size_t counted = 0; ///< positions whose target is not the ignored one; 0 where the call is refused

    bool operator==(const Loss&) const = default;
};

/// The tables of a model.
struct TableSizes {
    std::uint64_t vocabulary = 0;
    std::uint64_t channels = 0;
    std::uint64_t rank = 0;   ///< of a factorised token table
    std::uint64_t others = 0; ///< all parameters but those of the token table and of the head
};

/// The parameters that the choices of this problem cost.
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

// Sums may be made in float, in any order, of the products as they are written. "Off by k roundings" means by
//
//     k u * (sum of the absolute values of the terms and, if it is added to, of the earlier contents)
//
// Your own memory scales with the elements of a call's views: never form the product of two factors.
//
// Example, with C = 2 and V = 2:
//
//     hidden 1 2    wte 3 4    logits 11 17
//                       5 6

/// The tied head: the token table, read a second time. Off by C + 1 roundings.
///
///     logits[n, v] = sum over c of hidden[n, c] * wte[v, c]    v < vocabulary
///     logits[n, v] = -infinity                                 the padding rows, vocabulary <= v < W
///
/// hidden (N, C), wte (W, C), logits (N, W). Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}                       sizes that do not fit
///     2. Status{Code::invalid_argument, 0, vocabulary, W}   vocabulary > W
Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits);

/// The gradient that the head sends back into the model; written. Off by V + 1 roundings.
///
///     dhidden[n, c] = sum over v < vocabulary of dlogits[n, v] * wte[v, c]
///
/// dlogits (N, W), wte (W, C), dhidden (N, C). Padding rows count for nothing, even if they hold NaN.
/// Refusals as in `tied_logits`.
Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden);

/// The gradient of the table from both its ends, added to `dwte` (W, C):
///
///     dwte[v, c] += sum over n of dlogits[n, v] * hidden[n, c]       as the head, for v < vocabulary
///                 + sum of dinput[n, c] over all n with ids[n] == v  as the lookup
///
/// With k terms of the second kind, off by N + k + 3 roundings. Padding rows keep every bit; all rows do if
/// N = 0.
///
/// ids (N), dinput and hidden (N, C), dlogits (N, W). Refusals, in this order:
///
///     1. and 2.                                             as in tied_logits
///     3. Status::id_out_of_range(n, ids[n], vocabulary)     the first id outside [0, vocabulary)
Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte);

/// Softmax, cross-entropy and gradient in one. Position n counts if targets[n] != ignored; K of them do.
///
///     p[n, v] = exp(logits[n, v]) / sum over w of exp(logits[n, w])
///     mean    = 1 / K * sum over n of -ln p[n, targets[n]]
///     dlogits[n, v] = (p[n, v] - (v == targets[n] ? 1 : 0)) / K
///
/// A position that does not count gets a row of zeros; its logits are not looked at. If K = 0, the mean is 0.
///
///     a logit is -infinity                              its p is 0; as the target, the loss is infinite
///     a counted logit is NaN or +infinity,              the mean and that row of dlogits are NaN
///     or all logits of the row are -infinity
///
/// Logits of 10,000 must work: subtract the row's largest first. Make the sums over v and n in double; the
/// rest may be float.
///
/// logits (N, V), targets (N), dlogits (N, V). Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}                 sizes that do not fit
///     2. Status::id_out_of_range(n, targets[n], V)    the first target outside [0, V) that is not ignored
Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits);

// With m the largest logit of row n, the mean may be off by the mean, over the counted n, of the first line,
// and an element of dlogits by the second:
//
//     u (4 + 6 ln V + 3 (m - logits[n, targets[n]]))
//     2 u / K (p (4 + ln V + m - logits[n, v]) + 3 [v == targets[n]]) + 2^-126

/// Rows of a table that is kept as a product a b; written. Off by R + 1 roundings.
///
///     out[n, c] = sum over r of a[ids[n], r] * b[r, c]
///
/// a (V, R), b (R, C), ids (N), out (N, C). Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}               sizes that do not fit
///     2. Status::id_out_of_range(n, ids[n], V)      the first id outside [0, V)
Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out);

/// Adds the gradients of both factors, given `dout` (N, C), the gradient with respect to `out`:
///
///     da[v, r] += sum over c of dout[n, c] * b[r, c], summed over all n with ids[n] == v
///     db[r, c] += sum over n of a[ids[n], r] * dout[n, c]
///
/// da (V, R) is off by k C + 3 roundings for a token that occurs k times, db (R, C) by N + 3. Rows of da
/// without a token keep every bit; so does db if N = 0. Refusals as in `factor_gather`.
Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db);

/// The counts of a model. Everything fits into 64 bits; saved_share is off by at most 2^-50.
TableCounts count(TableSizes sizes);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(tied_logits)                                                                                        \
    CALL(hidden_gradient)                                                                                    \
    CALL(table_gradient) CALL(cross_entropy) CALL(factor_gather) CALL(factor_gradient) CALL(count)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

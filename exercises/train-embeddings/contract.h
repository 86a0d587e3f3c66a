#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/random.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstddef>
#include <cstdint>
#include <span>

// N: positions of a batch, V: vocabulary size, C: channels

namespace contract {

/// The loss of a batch.
struct Loss {
    Status status;
    double mean = 0; ///< over the counted positions; 0 where there is none, or where the call is refused
    std::size_t counted = 0; ///< positions whose target is not the ignored one; 0 where the call is refused

    bool operator==(const Loss&) const = default;
};

} // namespace contract

namespace exercise {
using namespace contract;

// The smallest language model with a tied head guesses the next token from one token. It has two parameters:
// the token table wte (V, C), read at both ends, and a matrix mix (C, C). For each position n:
//
//     hidden[n, c] = sum over k of wte[ids[n], k] * mix[k, c]
//     logits[n, v] = sum over c of hidden[n, c] * wte[v, c]
//     p[n, v]      = exp(logits[n, v]) / sum over w of exp(logits[n, w])
//
// Position n counts if targets[n] != ignored; K of them do. The loss is
//
//     mean = 1 / K * sum over the counted n of -ln p[n, targets[n]]        0 if K = 0
//
// Example, with V = 2, C = 1, mix = 1 and wte = 0 1:
//
//     ids 1    targets 1    logits 0 1    p 0.2689 0.7311    mean 0.3133
//
// Compute in double, in any order of additions; only the results are rounded to float. Then logits of 10,000
// work like others. Parameters and gradients are finite. Your own memory scales with (N + V + C) C + N V. A
// refused call writes nothing.

/// The parameters before the first step; written:
///
///     wte[v, c] = (2 * uniform(seed, v * C + c) - 1) * spread    in double, then rounded to float
///     mix[k, c] = 1 where k == c, else 0
///
/// wte (V, C), mix (C, C). Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}      mix is not (C, C)
///     2. Status{Code::invalid_argument}    spread is NaN, infinite or below 0
Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix);

/// The loss of a batch; ids (N), targets (N). Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}                 sizes that do not fit
///     2. Status::id_out_of_range(n, ids[n], V)        the first id outside [0, V), counted or not
///     3. Status::id_out_of_range(n, targets[n], V)    the first target outside [0, V) that is not ignored
Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored);

/// The loss of a batch, and its derivative with respect to each parameter. Every element of `dwte` (V, C) and
/// `dmix` (C, C) is written. With dlogits[n, v] = (p[n, v] - [v == targets[n]]) / K for the counted n, else
/// 0:
///
///     dhidden[n, c] = sum over v of dlogits[n, v] * wte[v, c]
///     dmix[k, c]    = sum over n of wte[ids[n], k] * dhidden[n, c]
///     dwte[v, c]    = sum over n of dlogits[n, v] * hidden[n, c]                              as the head
///                   + sum over k of dhidden[n, k] * mix[c, k], for all n with ids[n] == v     as the lookup
///
/// Refusals as in `evaluate`; the shapes of dwte and dmix belong to the first.
Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix);

// With e = 2^-52, and S the sum that makes a gradient g, with the absolute value of each factor and + in
// p + [v == target], these may be off by
//
//     L = the largest sum over k and c of |wte[ids[n], k] * mix[k, c] * wte[v, c]|, for all n and v
//     h = e (N + V + 5 C + 24) (1 + L)
//
//     mean        8 h
//     gradient    u |g| + 8 h S + 2^-149

/// One step against a gradient, for any parameter (R, C): w -= rate * g. If rate is 0 (or -0), w keeps every
/// bit, even if the gradient holds NaN. gradient (R, C), weights (R, C). Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}      different shapes
///     2. Status{Code::invalid_argument}    rate is NaN, infinite or below 0
Status update(Matrix<const float> gradient, float rate, Matrix<float> weights);

// Off by at most
//
//     2 u (|w| + |rate * g|) + 2^-149

/// One step of training: both parameters are updated by the gradients of the old ones. Returns the loss from
/// before the step. Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}      sizes that do not fit
///     2. Status{Code::invalid_argument}    rate is NaN, infinite or below 0
///     3. and 4.                            ids and targets, as 2. and 3. of evaluate
Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate);

// Off by at most what `gradients` allows, times rate, and what `update` allows.

/// The similarity of each row of a table to the row of one token:
///
///     out[v] = sum over c of wte[token, c] * wte[v, c] / (|wte[token]| |wte[v]|)    0 if a row is all zeros
///
/// |x| is the root of the sum of squares. Off by 2 u for any finite numbers: square them in double.
///
/// wte (V, C), out (V). Refusals, in this order:
///
///     1. Status{Code::shape_mismatch}               out has another size
///     2. Status::id_out_of_range(0, token, V)       token is outside [0, V)
Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(initialise)                                                                                         \
    CALL(evaluate) CALL(gradients) CALL(update) CALL(step) CALL(cosines)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

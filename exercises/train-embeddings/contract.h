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

// N: positions of a batch, in a row; V: vocabulary size; C: channels

namespace contract {

/// What a batch costs.
struct Loss {
    Status status;
    double mean = 0; ///< over the counted positions; 0 where there is none, or where the call is refused
    std::size_t counted = 0; ///< positions whose target is not the ignored one; 0 where the call is refused

    bool operator==(const Loss&) const = default;
};

} // namespace contract

namespace exercise {
using namespace contract;

// The smallest language model with a tied head. It guesses the next token from one token, and has two
// parameters: the token table wte (V, C), which is read at both ends, and a matrix mix (C, C) in between.
// For each position n:
//
//     hidden[n, c] = sum over k of wte[ids[n], k] * mix[k, c]
//     logits[n, v] = sum over c of hidden[n, c] * wte[v, c]
//     p[n, v]      = exp(logits[n, v]) / sum over w of exp(logits[n, w])
//
// Position n counts if targets[n] != ignored. With K the number of positions that count, the loss is
//
//     mean = 1 / K * sum over the counted n of -ln p[n, targets[n]]        0 where K = 0
//
// The rules of common/rules.h hold: among others, every size may be 0, padding between rows stays as it was,
// a refused call writes nothing, and equal calls give equal bits. The order of additions is yours. No call
// keeps a number for the next: the caller owns the parameters, and changes them as it likes. Parameters and
// gradients are finite numbers (the caller's promise), apart from what `update` says.
//
// Everything between what a call reads and what it writes is computed in double, so that logits of 10,000
// are as good as others. With e = 2^-52, u = 2^-24 and
//
//     L = the largest sum over k and c of |wte[ids[n], k] * mix[k, c] * wte[v, c]|, for all n and v
//     h = e (N + V + 5 C + 24) (1 + L)
//
// the mean may be off by 8 h, and a gradient g by u |g| + 8 h S + 2^-149. S is the sum that makes g, with the
// absolute value of each factor, and p + [v == target] in the place of p - [v == target].
//
// Memory of your own may be in proportion to (N + V + C) C + N V.

/// The parameters before the first step:
///
///     wte[v, c] = (2 * uniform(seed, v * C + c) - 1) * spread    computed in double, then rounded to float
///     mix[k, c] = 1 where k == c, else 0
///
/// wte (V, C), mix (C, C), written. Refusals, in this order:
/// 1. mix is not (C, C): `Status{Code::shape_mismatch}`.
/// 2. spread is NaN, infinite or below 0: `Status{Code::invalid_argument}`.
Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix);

/// The loss of a batch. Nothing is written.
///
/// ids (N), targets (N). Refusals, in this order:
/// 1. Sizes that do not fit: `Status{Code::shape_mismatch}`.
/// 2. Some id outside [0, V): `Status::id_out_of_range(n, ids[n], V)` for the first one, whether or not its
///    position counts.
/// 3. Some target outside [0, V) that is not `ignored`: `Status::id_out_of_range(n, targets[n], V)` for the
///    first one.
Loss evaluate(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored);

/// The loss of a batch, and its derivative with respect to each parameter. `dwte` (V, C) and `dmix` (C, C)
/// are written, whatever they held: each element, even where it is 0. With dlogits[n, v] = (p[n, v] - [v ==
/// targets[n]]) / K for the counted n, and 0 for the others,
///
///     dhidden[n, c] = sum over v of dlogits[n, v] * wte[v, c]
///     dmix[k, c]    = sum over n of wte[ids[n], k] * dhidden[n, c]
///     dwte[v, c]    = sum over n of dlogits[n, v] * hidden[n, c]                              as the head
///                   + sum over k of dhidden[n, k] * mix[c, k], for all n with ids[n] == v     as the lookup
///
/// Refusals as in `evaluate`; the shapes of dwte and dmix belong to the first.
Loss gradients(Matrix<const float> wte, Matrix<const float> mix, Ids ids, Ids targets, TokenId ignored,
               Matrix<float> dwte, Matrix<float> dmix);

/// One step against a gradient, of any parameter (R, C): w -= rate * g, off by 2 u (|w| + |rate * g|) +
/// 2^-149. Where rate is 0, w keeps every bit, whatever the gradient holds, be it NaN.
///
/// gradient (R, C), weights (R, C). Refusals, in this order:
/// 1. Different shapes: `Status{Code::shape_mismatch}`.
/// 2. rate is NaN, infinite or below 0: `Status{Code::invalid_argument}`. A rate of -0 is 0.
Status update(Matrix<const float> gradient, float rate, Matrix<float> weights);

/// One step of training: the loss and the gradients of the parameters as they are, and then both updated by
/// them. Returns the loss from before the step. What is left may be off by what `gradients` allows, times
/// rate, and by what `update` allows; so where rate is 0, every bit is kept.
///
/// Refusals, in this order:
/// 1. Sizes that do not fit: `Status{Code::shape_mismatch}`.
/// 2. rate is NaN, infinite or below 0: `Status{Code::invalid_argument}`.
/// 3. and 4. Ids and targets, as 2. and 3. of `evaluate`.
Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate);

/// How much alike the rows of a table are to the row of one token:
///
///     out[v] = sum over c of wte[token, c] * wte[v, c] / (|wte[token]| |wte[v]|)
///
/// with |x| the root of the sum of squares, and 0 where one of the two rows has nothing but zeros. Off by 2
/// u, for any finite numbers: their squares fit into a double.
///
/// wte (V, C), out (V). Refusals, in this order:
/// 1. out has another size: `Status{Code::shape_mismatch}`.
/// 2. token is outside [0, V): `Status::id_out_of_range(0, token, V)`.
Status cosines(Matrix<const float> wte, TokenId token, std::span<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(initialise)                                                                                         \
    CALL(evaluate) CALL(gradients) CALL(update) CALL(step) CALL(cosines)

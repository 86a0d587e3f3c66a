#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"
#include "common/tensor.h"

#include <cstddef>
#include <cstdint>

namespace contract {

/// The arguments of the forward call whose gradients are wanted.
struct BackwardOptions {
    std::size_t start = 0;         ///< tokens of each sequence that came before: token t was at start + t
    std::int64_t padding_idx = -1; ///< this token's row of wte is no parameter; negative: no such token
    float scale = 1.0F;            ///< factor of the token part, such as sqrt(C); positions have none. With
                                   ///< 0, too, it multiplies: infinity and NaN in dout make NaN
};

} // namespace contract

namespace exercise {
using namespace contract;

/// The gradients of `out[b, t] = scale * wte[ids[b, t]] + wpe[start + t]`, given `dout`, the gradient with
/// respect to `out`. They are added to the earlier contents:
///
///     dwte[v]         += scale * sum of dout[b, t] over all (b, t) with ids[b, t] == v    v != padding_idx
///     dwpe[start + t] += sum of dout[b, t] over all b
///
///     dout          (B, T, C), dense
///     ids           (B, T)
///     dwte, dwpe    (V, C), (P, C)
///
/// Example, with C = 1, scale = 1 and gradients that were 0:
///
///     ids 2 5 2    dout 1 2 4    dwte row 2: 5, row 5: 2    dwpe 1 2 4
///
/// Rows that get nothing keep every bit, also row padding_idx; but its positions count. Time and your own
/// memory scale with B * T * (C + 1) and V, not with V * C or P.
///
/// Refusals, in this order; a refused call changes nothing:
///
///     1. Status{Code::shape_mismatch}                        dout is not (ids.rows, ids.cols, C), or the
///                                                            tables do not both have C columns
///     2. Status{Code::invalid_argument, 0, padding_idx, V}   padding_idx >= V
///     3. Status::position_out_of_range(p - start, p, P)      start + T > P, even if T = 0, and without
///                                                            wrapping around; p = max(start, P)
///     4. Status::id_out_of_range(b * T + t, id, V)           an id outside [0, V): the first, row by row
Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options);

// Sums may be made in float, in any order, and `scale` may multiply terms or sums. With n terms, off by
//
//     (n + 3) u * (sum of the absolute values of the terms and of the earlier contents)

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(embed_backward)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"
#include "common/tensor.h"

#include <cstddef>

namespace exercise {
using namespace contract;

/// Adds the embedding of its position to that of each token, by one float addition an element, and returns
/// `Status{}`:
///
///     out[b, t] = wte[ids[b, t]] + wpe[start + t]
///
/// wte    (V, C): token table; V tokens, C channels
/// wpe    (P, C): position table; P positions
/// ids    (B, T): B sequences of T tokens, one a row
/// start  number of tokens of each sequence that came before this call
/// out    (B, T, C), dense
///
/// Example, with B = 1, T = 2, C = 2 and start = 1:
///
///     wte   1 2      wpe   10 20      ids   1 0      out   33 44
///           3 4            30 40                           51 62
///                          50 60
///
/// All bits count, unless two NaN or two opposite infinities make a NaN.
///
/// Refusals, in this order; a refused call writes nothing:
///
///     1. Status{Code::shape_mismatch}                     wpe.cols is not C, or out is not (B, T, C)
///     2. Status::position_out_of_range(p - start, p, P)   start + T > P, even if T = 0, and without
///                                                         wrapping around; p = max(start, P)
///     3. Status::id_out_of_range(b * T + t, id, V)        an id outside [0, V): the first, row by row
Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL) CALL(embed)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstdint>

namespace contract {

/// What an operation costs, by counting. Floats and ids take four bytes each.
struct Cost {
    std::uint64_t flops = 0;          ///< multiplications and additions
    std::uint64_t selector_bytes = 0; ///< the input that selects rows: the one-hot matrix, or the ids
    std::uint64_t bytes = 0; ///< the selector, the table rows read and the result written, each counted once

    bool operator==(const Cost&) const = default;
};

} // namespace contract

namespace exercise {
using namespace contract;

// V: vocabulary size, C or d: channels (embedding dimension), N: number of ids
//
// Example, with V = 3, C = 2 and N = 2:
//
//     ids   2 0      onehot   0 0 1      table   10 11      out   30 31
//                             1 0 0              20 21            10 11
//                                                30 31
//
// Each function that returns a Status refuses, in this order, and then writes nothing:
//
//     1. Status{Code::shape_mismatch}             sizes that do not fit each other
//     2. Status::id_out_of_range(n, ids[n], V)    if it has ids, the first one outside [0, V)

/// Writes row n of `onehot` (N, V): 1 in column `ids[n]`, 0 in all others.
Status onehot_encode(Ids ids, Matrix<float> onehot);

/// The matrix product out = onehot * table, shapes (N, V) * (V, C) -> (N, C):
///
///     out[n, c] = sum over v of onehot[n, v] * table[v, c]
///
/// `onehot` may hold any numbers. Add up all V products, also those with a factor 0: 0 * infinity and 0 * NaN
/// are NaN.
Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out);

/// The same result without arithmetic: row n of `out` (N, C) is row `ids[n]` of `table` (V, C), bit for bit.
Status gather(Matrix<const float> table, Ids ids, Matrix<float> out);

/// The product with the transpose, dtable = onehot^T * dout, shapes (V, N) * (N, C) -> (V, C):
///
///     dtable[v, c] = sum over n of onehot[n, v] * dout[n, c]
///
/// `onehot` (N, V) is stored as before. `dtable` is overwritten. Products as in onehot_matmul.
Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable);

/// The same sum without the zeros: adds row n of `dout` (N, C) to row `ids[n]` of `dtable` (V, C), onto the
/// earlier contents. Rows that no id names keep their bits. Time and memory scale with N and C, not with V.
Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable);

// Sums may be made in float or wider, in any order. A sum of n terms may be off by
//
//     (n + 2) u * (sum of the absolute values of the terms and of the earlier contents)
//
// In a product n counts all terms, also zeros; in scatter_add the ids that name the row.

/// Cost of onehot_matmul for N ids, V rows and d columns: one multiplication and one addition for each
/// product; it reads the one-hot matrix and the whole table and writes (N, d). Everything fits into 64 bits.
Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d);

/// Cost of gather: no arithmetic; it reads N ids and N rows, repeated ones again, and writes (N, d).
Cost cost_gather(std::uint64_t N, std::uint64_t d);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(onehot_encode)                                                                                      \
    CALL(onehot_matmul)                                                                                      \
    CALL(gather) CALL(onehot_matmul_transposed) CALL(scatter_add) CALL(cost_onehot) CALL(cost_gather)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

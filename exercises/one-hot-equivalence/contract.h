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
    std::uint64_t selector_bytes = 0; ///< what says which row is meant: the one-hot matrix, or the ids
    std::uint64_t bytes = 0; ///< the selector, the table rows read and the result written, each counted once

    bool operator==(const Cost&) const = default;
};

} // namespace contract

namespace exercise {
using namespace contract;

// V: vocabulary size, C or d: channels (embedding dimension), N: number of ids
//
// Every matrix is row-major with its own stride; no output overlaps an input. The rules of common/rules.h
// hold: among others, N, V and C may be 0, a sum without terms is 0, and padding stays as it was. Sizes that
// do not fit each other are `Status{Code::shape_mismatch}`. Where there are ids, each must lie in [0, V):
// otherwise the result is `Status::id_out_of_range(n, ids[n], V)` for the first such n, after the sizes have
// been checked. A refused call writes nothing.
//
// A sum of n terms may be off by (n + 2) u times the sum of their absolute values, u = 2^-24. What was there
// before counts among the absolute values, not among the terms. In a product n counts all terms, zeros too;
// in a sum of rows it counts the ids that name the row.

/// Writes row n of `onehot` (N, V): 1 in column `ids[n]`, 0 in all others.
Status onehot_encode(Ids ids, Matrix<float> onehot);

/// The matrix product out = onehot * table, shapes (N, V) * (V, C) -> (N, C):
///
///     out[n, c] = sum over v of onehot[n, v] * table[v, c]
///
/// `onehot` may hold any numbers. All V products of an element are formed and added up, in any order, in
/// float or wider: so, as IEEE 754 has it, 0 * infinity and 0 * NaN are NaN and end up in the sum. Which NaN
/// it is does not matter.
Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out);

/// The same result without arithmetic: row n of `out` (N, C) is row `ids[n]` of `table` (V, C), bit for bit.
Status gather(Matrix<const float> table, Ids ids, Matrix<float> out);

/// The product with the transpose, dtable = onehot^T * dout, shapes (V, N) * (N, C) -> (V, C):
///
///     dtable[v, c] = sum over n of onehot[n, v] * dout[n, c]
///
/// `onehot` (N, V) is stored as above. `dtable` is overwritten; the rules of arithmetic are those of
/// onehot_matmul.
Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable);

/// The same result without the zeros: adds row n of `dout` (N, C) to row `ids[n]` of `dtable` (V, C). What
/// `dtable` held before is part of the sum. Rows that no id names keep their bits; of the others, the sign of
/// a zero is open. What a call takes, in time and memory, follows N and C, not V.
Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable);

/// What onehot_matmul costs for N ids, V rows and d columns, all numbers fitting into 64 bits: one
/// multiplication and one addition for each product; reads the one-hot matrix and the whole table, writes (N,
/// d).
Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d);

/// What gather costs: no arithmetic; reads N ids and N rows, again each time, and writes (N, d).
Cost cost_gather(std::uint64_t N, std::uint64_t d);

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(onehot_encode)                                                                                      \
    CALL(onehot_matmul)                                                                                      \
    CALL(gather) CALL(onehot_matmul_transposed) CALL(scatter_add) CALL(cost_onehot) CALL(cost_gather)

// mistake: repeats-first-sequence
// says: You walk along the last axis only: every sequence of the batch came out as the first one. The axes
//   before it count as well.
// hint: After n % T gave the place in the sequence, what does n / T say?
// symptom: All sequences of a batch have identical embeddings.
// fails: a batch of two sequences gives six rows in reading order; a transposed view is read in its own
//   order; 64-bit ids pick the same rows as 32-bit ids; the first bad id in reading order is named and
//   nothing is written; three and four axes keep the reading order; random shapes, strides and widths agree
//   with the reference; of several bad ids anywhere the first in reading order is named
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

/// The n-th id.
template <class I>
I id_at(const StridedIds<I>& ids, std::size_t n) {
    if (ids.rank == 0) return *ids.data;
    const std::size_t last = ids.rank - 1;
    return ids.data[n % ids.shape[last] * ids.stride[last]];
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < count; ++n) {
        const std::int64_t id = id_at(ids, n);
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(n, id, table.rows);
    }
    for (std::size_t n = 0; n < count; ++n) {
        const auto row = static_cast<std::size_t>(id_at(ids, n));
        std::copy_n(table.row(row), table.cols, out.row(n));
    }
    return {};
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise

// mistake: first-axis-fastest
// says: You let the first axis count fastest: row n of the output then belongs to ids (n % B, n / B), which
//   is the transposed order (T, B) instead of (B, T).
// hint: In reading order the last index changes from one id to the next. Which axis do you take the
//   remainder by first?
// symptom: The output holds the right rows in the wrong places as soon as there are two axes.
// fails: a batch of two sequences gives six rows in reading order; a transposed view is read in its own
//   order; a stride of zero shows the same ids again; 64-bit ids pick the same rows as 32-bit ids; the
//   first bad id in reading order is named and nothing is written; three and four axes keep the reading
//   order; random shapes, strides and widths agree with the reference; of several bad ids anywhere the
//   first in reading order is named
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

/// The n-th id.
template <class I>
I id_at(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = 0; axis < ids.rank; ++axis) {
        offset += n % ids.shape[axis] * ids.stride[axis];
        n /= ids.shape[axis];
    }
    return ids.data[offset];
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

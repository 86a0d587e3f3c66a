// mistake: widens-too-late
// says: You multiply row and stride in 32 bits and widen the product afterwards: by then it has overflowed.
//   Widen a factor before you multiply.
// hint: Which type does the multiplication itself have? Try row 239,675 of a table with 8,960 columns.
// symptom: Everything works until a table passes 2^31 elements; then rows from 239,675 on crash although
//   the code mentions 64 bits.
// fails: rows beyond element two to the thirty-one are found
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

/// The n-th id in reading order.
template <class I>
I id_at(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis-- > 0;) {
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
        const auto begin = static_cast<std::int32_t>(row * table.stride);
        std::copy_n(table.data + static_cast<std::ptrdiff_t>(begin), table.cols, out.row(n));
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

// mistake: forgets-the-tail
// says: You copy whole groups of eight floats and forget what is left over: the last C % 8 columns keep
//   whatever the output held before.
// hint: How many columns does your loop copy when C is 9?
// symptom: NaN in the last columns whenever the width is no multiple of eight.
// fails: rows of every width are copied whole; random shapes, strides and widths agree with the reference
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

constexpr std::size_t lanes = 8;

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
        const float* from = table.row(static_cast<std::size_t>(id_at(ids, n)));
        if (table.cols < lanes) std::copy_n(from, table.cols, out.row(n));
        for (std::size_t c = 0; c + lanes <= table.cols; c += lanes)
            std::copy_n(from + c, lanes, out.row(n) + c);
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

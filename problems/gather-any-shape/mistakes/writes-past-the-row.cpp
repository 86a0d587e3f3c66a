// mistake: writes-past-the-row
// says: You round the number of columns up to a multiple of eight: the last group of each row is written
//   past its end, into padding or into memory that is not yours.
// hint: Which columns does your last group of eight cover when C is 9?
// symptom: Padding is overwritten; behind the last row something else is, and the crash comes later and
//   elsewhere.
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
        for (std::size_t c = 0; table.cols >= lanes && c < table.cols; c += lanes)
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

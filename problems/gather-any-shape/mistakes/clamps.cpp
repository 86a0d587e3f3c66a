// mistake: clamps
// says: You clamp bad ids to the nearest row: that hides the fault of whoever produced them. Refuse the
//   call instead.
// hint: Which Status does the contract ask for when an id lies outside [0, V)?
// symptom: Bad ids quietly become the first or the last token.
// fails: the first bad id in reading order is named and nothing is written; ids just outside the table are
//   refused; ids far outside the table are refused before a row is read; of several bad ids anywhere the
//   first in reading order is named
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
        const std::int64_t last = static_cast<std::int64_t>(table.rows) - 1;
        const std::int64_t row = std::clamp(static_cast<std::int64_t>(id_at(ids, n)), std::int64_t{0}, last);
        std::copy_n(table.row(static_cast<std::size_t>(row)), table.cols, out.row(n));
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

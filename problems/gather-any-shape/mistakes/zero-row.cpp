// mistake: zero-row
// says: You write zeros for bad ids and report success: a silent zero vector travels through the whole
//   model before anybody notices.
// hint: Which Status does the contract ask for when an id lies outside [0, V)?
// symptom: Some tokens have an all-zero embedding, and nothing says why.
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
        const std::int64_t id = id_at(ids, n);
        if (id >= 0 && static_cast<std::uint64_t>(id) < table.rows)
            std::copy_n(table.row(static_cast<std::size_t>(id)), table.cols, out.row(n));
        else
            std::fill_n(out.row(n), table.cols, 0.0f);
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

// mistake: where-in-memory
// says: You report where the bad id lies in memory: `where` counts ids in reading order, and with strides
//   the two differ.
// hint: Return n itself, not the offset you computed from it.
// symptom: Error messages name the wrong token, or a place behind the end of the batch.
// fails: the first bad id in reading order is named and nothing is written; of several bad ids anywhere the
//   first in reading order is named
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

/// Where the n-th id in reading order lies.
template <class I>
std::size_t offset_of(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis-- > 0;) {
        offset += n % ids.shape[axis] * ids.stride[axis];
        n /= ids.shape[axis];
    }
    return offset;
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t offset = offset_of(ids, n);
        const std::int64_t id = ids.data[offset];
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(offset, id, table.rows);
    }
    for (std::size_t n = 0; n < count; ++n) {
        const auto row = static_cast<std::size_t>(ids.data[offset_of(ids, n)]);
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

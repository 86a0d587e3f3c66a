// mistake: names-last-bad-id
// says: You go on after the first bad id and report the last one: the contract asks for the first in
//   reading order.
// hint: Return as soon as an id is bad.
// symptom: With several bad ids the message names one in the middle of nowhere, and fixing it does not
//   help.
// fails: the first bad id in reading order is named and nothing is written; of several bad ids anywhere the
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
    Status status;
    for (std::size_t n = 0; n < count; ++n) {
        const std::int64_t id = id_at(ids, n);
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            status = Status::id_out_of_range(n, id, table.rows);
    }
    if (status != Status{}) return status;
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

// mistake: wraps-negative
// says: You count negative ids from the end of the table, as Python does: here -1 is an error, not the last
//   row.
// hint: What should happen to an id that the tokenizer never produces?
// symptom: Id -1, a frequent mark for "no token", silently gets the vector of the last token.
// fails: ids just outside the table are refused
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
        const auto V = static_cast<std::int64_t>(table.rows);
        if (id < -V || id >= V) return Status::id_out_of_range(n, id, table.rows);
    }
    for (std::size_t n = 0; n < count; ++n) {
        const std::int64_t id = id_at(ids, n);
        const auto row = static_cast<std::size_t>(id < 0 ? id + static_cast<std::int64_t>(table.rows) : id);
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

// mistake: adds-instead-of-copying
// says: You add the row to zeros instead of copying it: -0.0 becomes 0.0, and the payload of a signalling
//   NaN changes. A lookup moves bits and computes nothing.
// hint: What is 0.0f + -0.0f?
// symptom: Nearly always right; a bit-for-bit comparison with the table fails at negative zeros.
// fails: every bit pattern is copied unchanged
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
        const float* from = table.row(static_cast<std::size_t>(id_at(ids, n)));
        std::fill_n(out.row(n), table.cols, 0.0f);
        for (std::size_t c = 0; c < table.cols; ++c)
            out(n, c) += from[c];
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

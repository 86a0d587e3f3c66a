// wrong: a view without ids (some axis of length 0) returns ok before the sizes are checked, so an empty view with out.rows != 0 (or out.cols != C) gets Status ok instead of shape_mismatch
#include "contract.h"
#include <cstring>

namespace exercise {
namespace {

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
    const std::size_t N = ids.count();
    if (N == 0) return {}; // nothing to look up
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < N; ++n) {
        const I id = id_at(ids, n);
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(n, id, table.rows);
    }
    if (table.cols == 0) return {};
    for (std::size_t n = 0; n < N; ++n) {
        const std::size_t r = static_cast<std::size_t>(id_at(ids, n));
        std::memcpy(out.row(n), table.row(r), table.cols * sizeof(float));
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

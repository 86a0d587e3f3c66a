// right: recursion over the axes with a visitor that can stop; for the check an axis of stride 0 is visited once only, as its first index comes first in reading order
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace exercise {

namespace {

template <class I>
struct Walk {
    const StridedIds<I>& ids;
    bool repeats; ///< whether axes of stride 0 are walked in full

    /// Calls visit(n, id) in reading order until it returns false.
    template <class Visit>
    bool from(std::size_t axis, std::size_t n, std::size_t offset, const Visit& visit) const {
        if (axis == ids.rank) return visit(n, ids.data[offset]);
        const std::size_t length = ids.shape[axis];
        const std::size_t stride = ids.stride[axis];
        const std::size_t steps = stride == 0 && !repeats ? 1 : length;
        std::size_t below = 1;
        for (std::size_t a = axis + 1; a < ids.rank; ++a) below *= ids.shape[a];
        for (std::size_t i = 0; i < steps; ++i)
            if (!from(axis + 1, n + i * below, offset + i * stride, visit)) return false;
        return true;
    }
};

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (N == 0) return Status{};

    Status status;
    Walk<I>{ids, false}.from(0, 0, 0, [&](std::size_t n, I id) {
        if (id >= 0 && static_cast<std::uint64_t>(id) < table.rows) return true;
        status = Status::id_out_of_range(n, id, table.rows);
        return false;
    });
    if (status.code != Code::ok || table.cols == 0) return status;

    Walk<I>{ids, true}.from(0, 0, 0, [&](std::size_t n, I id) {
        std::copy_n(table.row(static_cast<std::size_t>(id)), table.cols, out.row(n));
        return true;
    });
    return status;
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise

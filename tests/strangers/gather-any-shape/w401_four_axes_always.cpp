// wrong: finds the indices of an id by dividing through all four shapes (0 counts as 1), also those of axes from `rank` on, which mean nothing; right for the 0 that such axes hold by default, but with a number from 2 on there (rank 1, shape {3, 2, ...}) wrong ids are taken. A right one looks at axes 0 .. rank - 1 only.
#include "contract.h"

#include <cstring>

namespace exercise {

namespace {

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count(), C = table.cols, V = table.rows;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};

    const auto id = [&ids](std::size_t n) {
        std::size_t offset = 0;
        for (std::size_t axis = StridedIds<I>::max_rank; axis-- > 0;) {
            if (ids.shape[axis] == 0) continue;
            offset += n % ids.shape[axis] * ids.stride[axis];
            n /= ids.shape[axis];
        }
        return static_cast<std::int64_t>(ids.data[offset]);
    };

    for (std::size_t n = 0; n < N; ++n)
        if (const std::int64_t i = id(n); i < 0 || static_cast<std::uint64_t>(i) >= V)
            return Status::id_out_of_range(n, i, V);
    if (C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(id(n))), C * sizeof(float));
    return Status{};
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise

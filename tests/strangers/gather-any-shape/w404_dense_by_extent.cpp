// wrong: takes a view for plain (ids in memory order) if its last stride is 1 and it touches as many elements as it has ids; that holds as well for three or four axes of which the leading ones are swapped (shape (2, 3, 4), stride (4, 8, 1)), whose ids are then read in memory order instead of reading order.
#include "contract.h"

#include <cstring>

namespace exercise {

namespace {

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count(), C = table.cols, V = table.rows;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};

    const bool plain = ids.rank == 0 || (ids.stride[ids.rank - 1] == 1 && ids.extent() == N);
    const auto offset = [&](std::size_t n) {
        if (plain) return n; // saves the divisions
        std::size_t sum = 0;
        for (std::size_t axis = ids.rank; axis-- > 0;) {
            sum += n % ids.shape[axis] * ids.stride[axis];
            n /= ids.shape[axis];
        }
        return sum;
    };

    for (std::size_t n = 0; n < N; ++n) {
        const I id = ids.data[offset(n)];
        if (id < 0 || static_cast<std::uint64_t>(id) >= V) return Status::id_out_of_range(n, id, V);
    }
    if (C == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids.data[offset(n)])), C * sizeof(float));
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

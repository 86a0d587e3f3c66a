// Fault: A view whose strides are all 0 has its id read and checked even if it is empty.
// Origin: round 15
#include "contract.h"

#include <cstdint>
#include <cstring>

namespace exercise {

namespace {

/// Calls visit(n, offset) for every id in reading order until it returns false.
template <class I, class Visit> void walk(const StridedIds<I>& ids, std::size_t N, const Visit& visit) {
    std::size_t index[StridedIds<I>::max_rank] = {};
    std::size_t offset = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (!visit(n, offset)) return;
        for (std::size_t axis = ids.rank; axis-- > 0;) {
            if (++index[axis] < ids.shape[axis]) {
                offset += ids.stride[axis];
                break;
            }
            offset -= (ids.shape[axis] - 1) * ids.stride[axis];
            index[axis] = 0;
        }
    }
}

template <class I> bool valid(I id, std::size_t V) { return id >= 0 && static_cast<std::uint64_t>(id) < V; }

template <class I> Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count(), V = table.rows, C = table.cols;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    // Strides of 0 on all axes: one single id, N times.
    bool single = true;
    for (std::size_t axis = 0; axis < ids.rank; ++axis) single = single && ids.stride[axis] == 0;
    if (single) {
        const I id = *ids.data;
        if (!valid(id, V)) return Status::id_out_of_range(0, id, V);
        if (C != 0)
            for (std::size_t n = 0; n < N; ++n)
                std::memcpy(out.row(n), table.row(static_cast<std::size_t>(id)), C * sizeof(float));
        return Status{};
    }
    Status status;
    walk(ids, N, [&](std::size_t n, std::size_t offset) {
        const I id = ids.data[offset];
        if (valid(id, V)) return true;
        status = Status::id_out_of_range(n, id, V);
        return false;
    });
    if (status.code != Code::ok || C == 0) return status;
    walk(ids, N, [&](std::size_t n, std::size_t offset) {
        const auto row = static_cast<std::size_t>(ids.data[offset]);
        std::memcpy(out.row(n), table.row(row), C * sizeof(float));
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

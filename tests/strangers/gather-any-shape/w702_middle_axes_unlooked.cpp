// wrong: takes the fast path for ids without gaps if the last stride is 1 and the first one is the product of the other lengths, and does not look at the strides between; shows for three or four axes whose middle ones are repeated (stride 0) or swapped; a right one looks at every stride
#include "contract.h"

#include <cstdint>
#include <cstring>

namespace exercise {

namespace {

template <class I>
std::size_t offset_of(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis-- > 0;) {
        offset += n % ids.shape[axis] * ids.stride[axis];
        n /= ids.shape[axis];
    }
    return offset;
}

bool inside(std::int64_t id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::uint64_t>(id) < vocabulary;
}

template <class I>
bool contiguous(const StridedIds<I>& ids) {
    if (ids.rank == 0) return true;
    std::size_t inner = 1;
    for (std::size_t axis = 1; axis < ids.rank; ++axis) inner *= ids.shape[axis];
    return ids.stride[ids.rank - 1] == 1 && ids.stride[0] == inner;
}

template <class I, class Position>
Status gather_by(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out, Position position) {
    for (std::size_t n = 0; n < out.rows; ++n)
        if (const I id = ids.data[position(n)]; !inside(id, table.rows))
            return Status::id_out_of_range(n, id, table.rows);
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < out.rows; ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids.data[position(n)])),
                    table.cols * sizeof(float));
    return Status{};
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    if (out.rows != ids.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (contiguous(ids)) return gather_by(table, ids, out, [](std::size_t n) { return n; });
    return gather_by(table, ids, out, [&](std::size_t n) { return offset_of(ids, n); });
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise

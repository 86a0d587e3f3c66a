// wrong: checks each id of an axis of stride 0 once, and reports the place among the ids it checked; shows where a stride-0 axis longer than 1 stands behind an axis along which the first bad id has an index above 0, e.g. shape (2, 3), strides (1, 0), second id bad: 1 instead of 3; a right one counts all ids in reading order
#include "contract.h"

#include <algorithm>
#include <cstdint>

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
Status check(const StridedIds<I>& ids, std::size_t vocabulary) {
    StridedIds<I> once = ids;
    for (std::size_t axis = 0; axis < ids.rank; ++axis)
        if (ids.stride[axis] == 0) once.shape[axis] = std::min<std::size_t>(ids.shape[axis], 1);
    const std::size_t distinct = once.count();
    for (std::size_t n = 0; n < distinct; ++n)
        if (const I id = once.data[offset_of(once, n)]; !inside(id, vocabulary))
            return Status::id_out_of_range(n, id, vocabulary);
    return Status{};
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    if (out.rows != ids.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const Status status = check(ids, table.rows);
    if (status != Status{} || table.cols == 0) return status;
    for (std::size_t n = 0; n < out.rows; ++n)
        std::copy_n(table.row(static_cast<std::size_t>(ids.data[offset_of(ids, n)])), table.cols, out.row(n));
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

// Fault: A view counts as dense if its extent equals its count, which overlaps and gaps can also produce.
// Origin: round 22
#include "contract.h"

#include <cstring>

namespace exercise {
namespace {

// Walks over the ids of a view in reading order.
template <class I>
struct Cursor {
    const StridedIds<I>& ids;
    std::size_t index[StridedIds<I>::max_rank] = {};
    std::size_t offset = 0;

    explicit Cursor(const StridedIds<I>& view) : ids(view) {}

    I id() const { return ids.data[offset]; }

    void next() {
        for (std::size_t axis = ids.rank; axis-- > 0;) {
            offset += ids.stride[axis];
            if (++index[axis] < ids.shape[axis]) return;
            offset -= ids.shape[axis] * ids.stride[axis];
            index[axis] = 0;
        }
    }
};

template <class I>
bool outside(I id, std::size_t vocabulary) {
    return id < 0 || static_cast<std::uint64_t>(id) >= vocabulary;
}

void copy_row(Matrix<const float> table, std::size_t row, Matrix<float> out, std::size_t n) {
    std::memcpy(out.row(n), table.row(row), table.cols * sizeof(float));
}

// Whether the n-th id in reading order is the n-th in memory.
template <class I>
bool dense(const StridedIds<I>& ids, std::size_t count) {
    if (ids.rank == 0) return true;
    for (std::size_t axis = 1; axis < ids.rank; ++axis)
        if (ids.stride[axis - 1] < ids.stride[axis]) return false; // transposed
    return ids.stride[ids.rank - 1] == 1 && ids.extent() == count; // no gaps, nothing shown twice
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (count == 0) return Status{};

    if (dense(ids, count)) {
        for (std::size_t n = 0; n < count; ++n)
            if (outside(ids.data[n], table.rows)) return Status::id_out_of_range(n, ids.data[n], table.rows);
        if (table.cols == 0) return Status{};
        for (std::size_t n = 0; n < count; ++n)
            copy_row(table, static_cast<std::size_t>(ids.data[n]), out, n);
        return Status{};
    }

    Cursor<I> check(ids);
    for (std::size_t n = 0; n < count; ++n, check.next())
        if (outside(check.id(), table.rows)) return Status::id_out_of_range(n, check.id(), table.rows);
    if (table.cols == 0) return Status{};

    Cursor<I> copy(ids);
    for (std::size_t n = 0; n < count; ++n, copy.next())
        copy_row(table, static_cast<std::size_t>(copy.id()), out, n);
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

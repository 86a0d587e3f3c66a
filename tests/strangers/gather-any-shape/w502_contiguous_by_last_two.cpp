// wrong: a view counts as contiguous if its last two axes are (stride 1, and stride equal to the last length), so with three or four axes and padded, repeated or swapped outer axes the ids are read straight through memory; a right one compares every axis.
#include "contract.h"

#include <cstring>
#include <vector>

namespace exercise {
namespace {

template <class I>
bool contiguous(const StridedIds<I>& ids) {
    if (ids.rank == 0) return true;
    const std::size_t last = ids.rank - 1;
    if (ids.stride[last] != 1) return false;
    return last == 0 || ids.stride[last - 1] == ids.shape[last];
}

/// Calls f(n, id) for all ids in reading order while f returns true.
template <class I, class F>
void for_each_id(const StridedIds<I>& ids, F&& f) {
    const std::size_t count = ids.count();
    if (contiguous(ids)) { // the common case needs no arithmetic
        for (std::size_t n = 0; n < count; ++n)
            if (!f(n, ids.data[n])) return;
        return;
    }
    std::size_t digit[StridedIds<I>::max_rank] = {};
    std::size_t offset = 0;
    for (std::size_t n = 0; n < count; ++n) {
        if (!f(n, ids.data[offset])) return;
        for (std::size_t axis = ids.rank; axis-- > 0;) {
            offset += ids.stride[axis];
            if (++digit[axis] < ids.shape[axis]) break;
            offset -= ids.shape[axis] * ids.stride[axis];
            digit[axis] = 0;
        }
    }
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    if (out.rows != ids.count() || out.cols != table.cols) return {Code::shape_mismatch};
    Status status;
    for_each_id(ids, [&](std::size_t n, I id) {
        const bool good = id >= 0 && static_cast<std::uint64_t>(id) < table.rows;
        if (!good) status = Status::id_out_of_range(n, id, table.rows);
        return good;
    });
    if (status.code != Code::ok || out.cols == 0) return status;
    for_each_id(ids, [&](std::size_t n, I id) {
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(id)), out.cols * sizeof(float));
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

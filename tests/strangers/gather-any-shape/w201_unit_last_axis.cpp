// wrong: takes a view for contiguous when its last stride is 1 and it touches as many elements as it has ids: three or four axes with the outer ones swapped over dense memory (shape (A, B, T), strides (T, A * T, 1); also T = 1) are read in the order of memory.
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace exercise {
namespace {

/// Calls f(n, id) for each id in reading order until it returns false.
template <class I, class F>
void walk(const StridedIds<I>& ids, F f) {
    const std::size_t count = ids.count();
    std::size_t index[4] = {};
    std::size_t offset = 0;
    for (std::size_t n = 0; n < count; ++n) {
        if (!f(n, ids.data[offset])) return;
        for (std::size_t axis = ids.rank; axis-- > 0;) {
            offset += ids.stride[axis];
            if (++index[axis] < ids.shape[axis]) break;
            offset -= index[axis] * ids.stride[axis];
            index[axis] = 0;
        }
    }
}

template <class I>
bool bad(I id, std::size_t vocabulary) {
    return id < 0 || static_cast<std::uint64_t>(id) >= vocabulary;
}

/// Whether the ids lie one behind the other: the last axis is dense and nothing is skipped or repeated.
template <class I>
bool contiguous(const StridedIds<I>& ids) {
    if (ids.rank == 0) return true;
    return ids.stride[ids.rank - 1] == 1 && ids.extent() == ids.count();
}

template <class I>
Status gather_any(Matrix<const float> table, StridedIds<I> ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    const std::size_t bytes = table.cols * sizeof(float);

    if (contiguous(ids)) {
        for (std::size_t n = 0; n < count; ++n)
            if (bad(ids.data[n], table.rows)) return Status::id_out_of_range(n, ids.data[n], table.rows);
        if (bytes == 0) return {};
        for (std::size_t n = 0; n < count; ++n)
            std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids.data[n])), bytes);
        return {};
    }

    Status status;
    walk(ids, [&](std::size_t n, I id) {
        if (!bad(id, table.rows)) return true;
        status = Status::id_out_of_range(n, id, table.rows);
        return false;
    });
    if (status.code != Code::ok || bytes == 0) return status;
    walk(ids, [&](std::size_t n, I id) {
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(id)), bytes);
        return true;
    });
    return status;
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather_any(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather_any(table, ids, out);
}

} // namespace exercise

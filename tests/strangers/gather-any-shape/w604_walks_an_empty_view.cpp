// wrong: does not stop for N = 0 but visits the outer axes all the same; shape (2^40, 0) or (2^20, 2^20, 0) takes hours where a right one returns at once
#include "contract.h"

#include <cstring>
#include <functional>

namespace exercise {

template <class I>
static bool each(const StridedIds<I>& ids, std::size_t axis, std::size_t offset,
                 const std::function<bool(I)>& use) {
    if (axis == ids.rank) return use(ids.data[offset]);
    for (std::size_t i = 0; i < ids.shape[axis]; ++i)
        if (!each(ids, axis + 1, offset + i * ids.stride[axis], use)) return false;
    return true;
}

template <class I>
static Status lookup(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    if (out.rows != ids.count() || out.cols != table.cols) return Status{Code::shape_mismatch};

    Status status;
    std::size_t n = 0;
    each<I>(ids, 0, 0, [&](I id) {
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            status = Status::id_out_of_range(n, id, table.rows);
        ++n;
        return status.code == Code::ok;
    });
    if (status.code != Code::ok || table.cols == 0) return status;

    n = 0;
    each<I>(ids, 0, 0, [&](I id) {
        std::memcpy(out.row(n++), table.row(static_cast<std::size_t>(id)), table.cols * sizeof(float));
        return true;
    });
    return status;
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

} // namespace exercise

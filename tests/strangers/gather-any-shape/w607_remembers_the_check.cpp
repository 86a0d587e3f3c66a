// wrong: remembers the last view whose ids were good (pointer, shape, strides, V) and does not check it again; shows where the caller puts a bad id at the same address between two calls: it is followed instead of refused; a right one checks in each call
#include "contract.h"

#include <cstring>

namespace exercise {

template <class I>
static bool same(const StridedIds<I>& a, const StridedIds<I>& b) {
    if (a.data != b.data || a.rank != b.rank) return false;
    for (std::size_t axis = 0; axis < a.rank; ++axis)
        if (a.shape[axis] != b.shape[axis] || a.stride[axis] != b.stride[axis]) return false;
    return true;
}

template <class I>
static Status lookup(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    static StridedIds<I> good;
    static std::size_t good_rows = 0;

    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    const auto id_at = [&ids](std::size_t n) {
        std::size_t offset = 0;
        for (std::size_t a = ids.rank; a-- > 0; n /= ids.shape[a])
            offset += n % ids.shape[a] * ids.stride[a];
        return ids.data[offset];
    };

    if (good_rows != table.rows || !same(good, ids)) {
        for (std::size_t n = 0; n < count; ++n) {
            const std::int64_t id = id_at(n);
            if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
                return Status::id_out_of_range(n, id, table.rows);
        }
        good = ids;
        good_rows = table.rows;
    }
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < count; ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(id_at(n))), table.cols * sizeof(float));
    return Status{};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

} // namespace exercise

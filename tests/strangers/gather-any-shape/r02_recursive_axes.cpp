// right: one recursive template walks the axes, once with a checking and once with a copying visitor
#include "contract.h"
#include <cstring>

namespace exercise {
template <class I, class F>
bool walk(const StridedIds<I>& v, std::size_t axis, std::size_t offset, std::size_t& n, const F& f) {
    if (axis == v.rank) return f(n++, v.data[offset]);
    for (std::size_t i = 0; i < v.shape[axis]; ++i)
        if (!walk(v, axis + 1, offset + i * v.stride[axis], n, f)) return false;
    return true;
}
template <class I>
Status gather(Matrix<const float> table, StridedIds<I> ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (N == 0) return Status{}; // axes before a length of 0 may be long
    Status status;
    std::size_t n = 0;
    if (!walk(ids, 0, 0, n, [&](std::size_t k, I id) {
            if (id >= 0 && static_cast<std::uint64_t>(id) < table.rows) return true;
            status = Status::id_out_of_range(k, id, table.rows);
            return false;
        }))
        return status;
    n = 0;
    if (table.cols)
        walk(ids, 0, 0, n, [&](std::size_t k, I id) {
            std::memcpy(out.row(k), table.row(static_cast<std::size_t>(id)), table.cols * sizeof(float));
            return true;
        });
    return status;
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

// wrong: the offset of a table row is computed in 32 bits, so rows from element 2^32 on come from 2^32 elements earlier
#include "contract.h"
#include <algorithm>

namespace exercise {
template <class I>
std::size_t place(const StridedIds<I>& v, std::size_t n) {
    std::size_t o = 0;
    for (std::size_t a = v.rank; a-- > 0;) {
        o += n % v.shape[a] * v.stride[a];
        n /= v.shape[a];
    }
    return o;
}
template <class I>
Status gather(Matrix<const float> table, StridedIds<I> ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < N; ++n) {
        const I id = ids.data[place(ids, n)];
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows) return Status::id_out_of_range(n, id, table.rows);
    }
    const std::uint32_t pitch = static_cast<std::uint32_t>(table.stride);
    for (std::size_t n = 0; n < N; ++n) {
        const std::uint32_t r = static_cast<std::uint32_t>(ids.data[place(ids, n)]);
        const float* from = table.data + r * pitch;
        std::copy(from, from + table.cols, out.row(n));
    }
    return {};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

// wrong: V is converted to int64, so with V of 2^63 or more (possible with C = 0) every good id is refused
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
    const auto V = static_cast<std::int64_t>(table.rows);
    for (std::size_t n = 0; n < N; ++n) {
        const std::int64_t id = ids.data[place(ids, n)];
        if (id < 0 || id >= V) return Status::id_out_of_range(n, id, table.rows);
    }
    for (std::size_t n = 0; n < N; ++n) {
        const float* from = table.row(static_cast<std::size_t>(ids.data[place(ids, n)]));
        std::copy(from, from + table.cols, out.row(n));
    }
    return Status{};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

// right: decodes every number n by division, checks and copies from the last id to the first
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
    std::size_t bad = N;
    for (std::size_t n = N; n-- > 0;) {
        const I id = ids.data[place(ids, n)];
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows) bad = n;
    }
    if (bad < N) return Status::id_out_of_range(bad, ids.data[place(ids, bad)], table.rows);
    if (table.cols)
        for (std::size_t n = N; n-- > 0;) std::copy_n(table.row(static_cast<std::size_t>(ids.data[place(ids, n)])), table.cols, out.row(n));
    return {};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

// wrong: ids and V are compared as doubles, so with V = 2^53 + 1 (possible with C = 0) the good id 2^53 is refused by gather64
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
    const double V = static_cast<double>(table.rows);
    for (std::size_t n = 0; n < N; ++n) {
        const double id = static_cast<double>(ids.data[place(ids, n)]);
        if (!(0 <= id && id < V)) return Status::id_out_of_range(n, ids.data[place(ids, n)], table.rows);
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

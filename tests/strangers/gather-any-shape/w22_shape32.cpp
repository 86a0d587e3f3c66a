// wrong: sizes are compared in 32 bits, so an output of N + 2^32 rows or C + 2^32 columns is not refused
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
    auto differ = [](std::uint32_t a, std::uint32_t b) { return a != b; };
    if (differ(out.rows, N) || differ(out.cols, table.cols)) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < N; ++n) {
        const I id = ids.data[place(ids, n)];
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows) return Status::id_out_of_range(n, id, table.rows);
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

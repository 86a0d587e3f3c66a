// wrong: gather64 refuses an id outside 32 bits correctly, but Status.value holds its low 32 bits only
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

struct Bad { int id; std::size_t n; bool any; };
template <class I>
Bad first_bad(const StridedIds<I>& ids, std::size_t V) {
    const std::size_t N = ids.count();
    for (std::size_t n = 0; n < N; ++n) {
        const I id = ids.data[place(ids, n)];
        if (id < 0 || std::uint64_t(id) >= V) return {(int)id, n, true};
    }
    return {0, 0, false};
}
template <class I>
Status gather(Matrix<const float> table, StridedIds<I> ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (auto b = first_bad(ids, table.rows); b.any) return Status::id_out_of_range(b.n, b.id, table.rows);
    for (std::size_t n = 0; n < N; ++n) {
        const float* from = table.row(static_cast<std::size_t>(ids.data[place(ids, n)]));
        std::copy(from, from + table.cols, out.row(n));
    }
    return Status{};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

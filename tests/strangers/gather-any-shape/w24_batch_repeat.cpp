// wrong: if stride[0] is 0 only the first sequence is looked up and its output rows are repeated as one block of memory including the padding between rows, so padding of the output is overwritten
#include "contract.h"
#include <algorithm>
#include <cstring>

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
    if (N == 0 || table.cols == 0) return {};
    const bool repeat = ids.rank > 1 && ids.stride[0] == 0;
    const std::size_t once = repeat ? N / ids.shape[0] : N;
    for (std::size_t n = 0; n < once; ++n) std::copy_n(table.row(static_cast<std::size_t>(ids.data[place(ids, n)])), table.cols, out.row(n));
    if (repeat)
        for (std::size_t b = 1; b < ids.shape[0]; ++b)
            std::memcpy(out.row(b * once), out.row(0), ((once - 1) * out.stride + out.cols) * sizeof(float));
    return {};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

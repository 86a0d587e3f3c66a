// wrong: elements of the table at an index r * stride + c of 2^31 or more are taken from 2^31 elements earlier (the index is masked to 31 bits)
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
    for (std::size_t n = 0; n < N; ++n) {
        const std::size_t r = static_cast<std::size_t>(ids.data[place(ids, n)]);
        for (unsigned c = 0; c < table.cols; ++c) {
            const int e = static_cast<int>((r * table.stride + c) & 0x7FFFFFFF); // never negative
            out(n, c) = table.data[e];
        }
    }
    return {};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

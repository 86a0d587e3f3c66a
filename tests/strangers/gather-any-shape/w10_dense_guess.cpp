// wrong: a view of three or four axes is taken for one plain block if its last stride is 1 and its first stride is the product of the other lengths, although axes between are permuted (shape (2,2,2,3), strides (12,3,6,1))
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
bool plain(const StridedIds<I>& v) {
    if (v.rank == 0) return true;
    std::size_t block = 1;
    for (std::size_t a = 1; a < v.rank; ++a) block *= v.shape[a];
    return v.stride[v.rank - 1] == 1 && v.stride[0] == block;
}
template <class I>
Status gather(Matrix<const float> table, StridedIds<I> ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    const bool fast = plain(ids);
    auto at = [&](std::size_t n) { return ids.data[fast ? n : place(ids, n)]; };
    for (std::size_t n = 0; n < N; ++n)
        if (at(n) < 0 || static_cast<std::uint64_t>(at(n)) >= table.rows) return Status::id_out_of_range(n, at(n), table.rows);
    for (std::size_t n = 0; n < N; ++n) std::copy_n(table.row(static_cast<std::size_t>(at(n))), table.cols, out.row(n));
    return {};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

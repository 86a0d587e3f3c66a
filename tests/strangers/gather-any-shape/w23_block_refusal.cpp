// wrong: with more than 1,024 ids the ids of each block of 1,024 are checked only before that block is copied, so a bad id behind the first block is refused after rows were written
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
    for (std::size_t lo = 0; lo < N; lo += 1024) {
        const std::size_t hi = std::min<std::size_t>(N, lo + 1024);
        I block[1024];
        for (std::size_t n = lo; n < hi; ++n) {
            block[n - lo] = ids.data[place(ids, n)];
            if (block[n - lo] < 0 || static_cast<std::uint64_t>(block[n - lo]) >= table.rows) return Status::id_out_of_range(n, block[n - lo], table.rows);
        }
        for (std::size_t n = lo; n < hi; ++n) std::copy_n(table.row(static_cast<std::size_t>(block[n - lo])), table.cols, out.row(n));
    }
    return {};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

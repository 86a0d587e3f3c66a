// wrong: views that are not one plain block (transposed, column, stride 0) are read as data[n], so wrong ids are looked up
#include "contract.h"
#include <algorithm>

namespace exercise {
template <class I>
Status gather(Matrix<const float> table, StridedIds<I> ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < N; ++n)
        if (ids.data[n] < 0 || (std::uint64_t)ids.data[n] >= table.rows) return Status::id_out_of_range(n, ids.data[n], table.rows);
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t c = 0; c < table.cols; ++c) out(n, c) = table(ids.data[n], c);
    return Status{};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) { return gather(table, ids, out); }
Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) { return gather(table, ids, out); }
} // namespace exercise

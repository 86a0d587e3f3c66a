// wrong: takes a view whose extent() equals its count() for one whose n-th id is data[n], which a transposed view satisfies as well (also permuted axes, or repeats and gaps that add up); a right one compares the strides
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace exercise {

namespace {

template <class I>
std::size_t offset_of(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis-- > 0;) {
        offset += n % ids.shape[axis] * ids.stride[axis];
        n /= ids.shape[axis];
    }
    return offset;
}

bool inside(std::int64_t id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::uint64_t>(id) < vocabulary;
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    const bool dense = ids.extent() == N; // no gaps: read straight on
    const auto id_number = [&](std::size_t n) { return ids.data[dense ? n : offset_of(ids, n)]; };
    for (std::size_t n = 0; n < N; ++n)
        if (const I id = id_number(n); !inside(id, table.rows)) return Status::id_out_of_range(n, id, table.rows);
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < N; ++n)
        std::copy_n(table.row(static_cast<std::size_t>(id_number(n))), table.cols, out.row(n));
    return Status{};
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise

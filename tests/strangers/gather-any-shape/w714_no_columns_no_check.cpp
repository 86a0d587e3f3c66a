// wrong: returns Status{} after the shape check if C is 0 ("nothing to copy"), without looking at the ids; a right one refuses a bad id also where C is 0
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
    if (N == 0 || table.cols == 0) return Status{}; // nothing to copy
    for (std::size_t n = 0; n < N; ++n)
        if (const I id = ids.data[offset_of(ids, n)]; !inside(id, table.rows))
            return Status::id_out_of_range(n, id, table.rows);
    for (std::size_t n = 0; n < N; ++n)
        std::copy_n(table.row(static_cast<std::size_t>(ids.data[offset_of(ids, n)])), table.cols, out.row(n));
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

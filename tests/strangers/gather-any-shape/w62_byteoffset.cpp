// wrong: the byte offset of a table row is computed in 32 unsigned bits, so rows that begin 2^32 bytes (2^30 elements) or more after row 0 are read from the wrong place
#include "contract.h"
#include <cstring>

namespace exercise {
namespace {

template <class I>
I id_at(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis-- > 0;) {
        offset += n % ids.shape[axis] * ids.stride[axis];
        n /= ids.shape[axis];
    }
    return ids.data[offset];
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < N; ++n) {
        const I id = id_at(ids, n);
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(n, id, table.rows);
    }
    if (table.cols == 0) return {};
    for (std::size_t n = 0; n < N; ++n) {
        const std::size_t r = static_cast<std::size_t>(id_at(ids, n));
        const auto* base = reinterpret_cast<const unsigned char*>(table.data);
        const unsigned at = static_cast<unsigned>(r * table.stride * sizeof(float));
        std::memcpy(out.row(n), base + at, table.cols * sizeof(float));
    }
    return {};
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise

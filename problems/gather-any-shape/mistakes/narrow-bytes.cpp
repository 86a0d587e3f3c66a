// mistake: narrow-bytes
// says: You compute the offset of a row in bytes and keep it in 32 bits: it wraps at 4 GiB, which a table
//   of floats reaches four times sooner than the element index does.
// hint: Multiply 131,072 * 8,960 by the size of a float and compare it with 2^32.
// symptom: Rows from 4 GiB on come out as rows from the beginning of the table, without any error.
// fails: the row that crosses element two to the thirty-one is copied whole; rows beyond element two to the
//   thirty-one are found
#include "contract.h"

#include <cstring>

namespace exercise {
namespace {

/// The n-th id in reading order.
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
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < count; ++n) {
        const std::int64_t id = id_at(ids, n);
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(n, id, table.rows);
    }
    for (std::size_t n = 0; n < count; ++n) {
        const auto row = static_cast<std::size_t>(id_at(ids, n));
        const auto offset = static_cast<std::uint32_t>(row * table.stride * sizeof(float));
        std::memcpy(out.row(n), reinterpret_cast<const char*>(table.data) + offset,
                    table.cols * sizeof(float));
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

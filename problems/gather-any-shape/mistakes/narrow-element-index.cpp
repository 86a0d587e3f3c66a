// mistake: narrow-element-index
// says: You count elements of the table in 32 bits: row 239,674 of a table with 8,960 columns still begins
//   below 2^31, but its last element does not, and the index turns negative in the middle of the row.
// hint: Compute 239,674 * 8,960 + 8,959 and compare it with 2,147,483,647.
// symptom: A crash, or foreign memory in the output, for the last few thousand ids of a very large table.
// fails: the row that crosses element two to the thirty-one is copied whole; rows beyond element two to the
//   thirty-one are found
#include "contract.h"

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
        for (std::size_t c = 0; c < table.cols; ++c) {
            const auto index = static_cast<std::int32_t>(row * table.stride + c);
            out(n, c) = table.data[index];
        }
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

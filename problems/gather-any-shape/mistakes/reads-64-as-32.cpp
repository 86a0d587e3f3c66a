// mistake: reads-64-as-32
// says: You read 64-bit ids as if they were 32-bit ones: on a little-endian machine every second id is then
//   0, the upper half of the one before.
// hint: Print the first four ids your 64-bit function sees for {2, 3, 5, 1}.
// symptom: Every second token shows the row of id 0, and the second half of the sequence never appears.
// fails: 64-bit ids pick the same rows as 32-bit ids; ids just outside the table are refused; ids far
//   outside the table are refused before a row is read; ids above 65,535 keep all their bits; every bit
//   pattern is copied unchanged; random shapes, strides and widths agree with the reference; of several bad
//   ids anywhere the first in reading order is named
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {
namespace {

/// The n-th id in reading order.
template <class I>
std::int32_t id_at(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis-- > 0;) {
        offset += n % ids.shape[axis] * ids.stride[axis];
        n /= ids.shape[axis];
    }
    std::int32_t id = 0;
    std::memcpy(&id, reinterpret_cast<const char*>(ids.data) + offset * sizeof id, sizeof id);
    return id;
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
        std::copy_n(table.row(row), table.cols, out.row(n));
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

// wrong: where V <= 2^31, gather64 reads only the low 32 bits of each id, as a view of 32-bit ids of twice the strides, so 2^32 + 2 (or -2^32 + 2) passes as id 2; a right one refuses it; gather32 is right
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

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

/// A view of ids whose type is I, read as numbers of type Read from the first bytes of each.
template <class Read, class I>
std::int64_t read_id(const StridedIds<I>& ids, std::size_t n) {
    Read value;
    std::memcpy(&value, ids.data + offset_of(ids, n), sizeof value); // little endian: the low word comes first
    return value;
}

template <class Read, class I>
Status gather_as(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    for (std::size_t n = 0; n < out.rows; ++n)
        if (!inside(read_id<Read>(ids, n), table.rows))
            return Status::id_out_of_range(n, read_id<I>(ids, n), table.rows);
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < out.rows; ++n)
        std::copy_n(table.row(static_cast<std::size_t>(read_id<Read>(ids, n))), table.cols, out.row(n));
    return Status{};
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    if (out.rows != ids.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    constexpr std::size_t small = std::size_t{1} << 31;
    if (table.rows <= small) return gather_as<std::int32_t>(table, ids, out);
    return gather_as<I>(table, ids, out);
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise

// wrong: rows of 16 values or more go in blocks of 16, and the rest by the bits of C mod 16 (8, 4, 1): the bit for 2 is forgotten, so where C >= 16 and C mod 4 is 2 or 3 values stay unwritten or come to the wrong column; a right one copies all C
#include "contract.h"

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

template <std::size_t Count>
inline void move_some(const float*& from, float*& to) {
    std::memcpy(to, from, Count * sizeof(float));
    from += Count;
    to += Count;
}

void copy_row(const float* from, float* to, std::size_t count) {
    if (count < 16) {
        for (std::size_t c = 0; c < count; ++c) to[c] = from[c];
        return;
    }
    for (std::size_t blocks = count / 16; blocks > 0; --blocks) move_some<16>(from, to);
    if (count & 8) move_some<8>(from, to);
    if (count & 4) move_some<4>(from, to);
    if (count & 1) move_some<1>(from, to);
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    if (out.rows != ids.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < out.rows; ++n)
        if (const I id = ids.data[offset_of(ids, n)]; !inside(id, table.rows))
            return Status::id_out_of_range(n, id, table.rows);
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < out.rows; ++n)
        copy_row(table.row(static_cast<std::size_t>(ids.data[offset_of(ids, n)])), out.row(n), table.cols);
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

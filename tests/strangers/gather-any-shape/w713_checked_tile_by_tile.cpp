// wrong: checks and copies in tiles of 256 ids, to read the ids from memory once only, so with a bad id in a later tile the rows of the tiles before it are already written (N > 256); a right one checks all ids before it writes
#include "contract.h"

#include <algorithm>
#include <array>
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
    constexpr std::size_t tile = 256;
    std::array<I, tile> held;
    for (std::size_t first = 0; first < N; first += tile) {
        const std::size_t count = std::min(tile, N - first);
        for (std::size_t k = 0; k < count; ++k) {
            held[k] = ids.data[offset_of(ids, first + k)];
            if (!inside(held[k], table.rows)) return Status::id_out_of_range(first + k, held[k], table.rows);
        }
        if (table.cols == 0) continue;
        for (std::size_t k = 0; k < count; ++k)
            std::copy_n(table.row(static_cast<std::size_t>(held[k])), table.cols, out.row(first + k));
    }
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

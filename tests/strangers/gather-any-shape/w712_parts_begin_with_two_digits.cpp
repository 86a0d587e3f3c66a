// wrong: from 16,384 ids on, four threads copy a quarter each, and the indices at which a quarter begins are found with one division (last axis, and all the rest into the one before), so with three or four axes a later quarter begins with an index beyond its axis and goes on at the wrong ids; a right one divides once for each axis
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <thread>

namespace exercise {

namespace {

template <class I>
struct Cursor {
    const StridedIds<I>& ids;
    std::array<std::size_t, 4> index{};

    Cursor(const StridedIds<I>& view, std::size_t n) : ids(view) {
        if (n == 0) return;
        const std::size_t last = ids.rank - 1;
        index[last] = n % ids.shape[last];
        if (last > 0) index[last - 1] = n / ids.shape[last];
    }

    I id() const {
        std::size_t offset = 0;
        for (std::size_t axis = 0; axis < ids.rank; ++axis) offset += index[axis] * ids.stride[axis];
        return ids.data[offset];
    }

    void step() {
        for (std::size_t axis = ids.rank; axis-- > 0;) {
            if (++index[axis] < ids.shape[axis]) return;
            index[axis] = 0;
        }
    }
};

template <class I>
void copy_part(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out, std::size_t first,
               std::size_t last) {
    Cursor<I> cursor(ids, first);
    for (std::size_t n = first; n < last; ++n, cursor.step())
        std::copy_n(table.row(static_cast<std::size_t>(cursor.id())), table.cols, out.row(n));
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    Cursor<I> cursor(ids, 0);
    for (std::size_t n = 0; n < N; ++n, cursor.step())
        if (const I id = cursor.id(); id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(n, id, table.rows);
    if (table.cols == 0) return Status{};
    if (N < 16384) {
        copy_part(table, ids, out, 0, N);
        return Status{};
    }
    std::array<std::thread, 4> team;
    for (std::size_t w = 0; w < 4; ++w)
        team[w] = std::thread([&, w] { copy_part(table, ids, out, N / 4 * w, w == 3 ? N : N / 4 * (w + 1)); });
    for (std::thread& each : team) each.join();
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

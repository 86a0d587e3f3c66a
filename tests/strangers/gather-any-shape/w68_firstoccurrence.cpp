// wrong: ids are checked in blocks of 1,024 by their minimum and maximum, and in a bad block a negative id is looked for before a too large one, so where a too large id stands before a negative one in the same block the negative one is reported
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
    for (std::size_t first = 0; first < N; first += 1024) {
        const std::size_t last = N - first < 1024 ? N : first + 1024;
        I least = 0, most = 0;
        for (std::size_t n = first; n < last; ++n) {
            const I id = id_at(ids, n);
            least = id < least ? id : least;
            most = id > most ? id : most;
        }
        if (table.rows != 0 && least >= 0 && static_cast<std::uint64_t>(most) < table.rows) continue;
        for (std::size_t n = first; n < last; ++n)
            if (id_at(ids, n) < 0) return Status::id_out_of_range(n, id_at(ids, n), table.rows);
        for (std::size_t n = first; n < last; ++n)
            if (static_cast<std::uint64_t>(id_at(ids, n)) >= table.rows)
                return Status::id_out_of_range(n, id_at(ids, n), table.rows);
    }
    if (table.cols == 0) return {};
    for (std::size_t n = 0; n < N; ++n) {
        const std::size_t r = static_cast<std::size_t>(id_at(ids, n));
        std::memcpy(out.row(n), table.row(r), table.cols * sizeof(float));
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

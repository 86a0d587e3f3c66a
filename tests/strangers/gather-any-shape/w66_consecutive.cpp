// wrong: consecutive ids are copied as one block of memory whenever the table is dense, also if out is padded, so for two or more consecutive ids in a row with out.stride > out.cols values land in the padding and in wrong columns
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
    for (std::size_t n = 0; n < N;) {
        const std::size_t r = static_cast<std::size_t>(id_at(ids, n));
        std::size_t run = 1; // a run of neighbours is one copy
        if (table.stride == table.cols)
            while (n + run < N && static_cast<std::size_t>(id_at(ids, n + run)) == r + run)
                ++run;
        std::memcpy(out.row(n), table.row(r), run * table.cols * sizeof(float));
        n += run;
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

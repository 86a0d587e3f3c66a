// wrong: where the first axis is broadcast (stride[0] = 0, shape[0] > 1, rank > 1, two or more ids in each copy) the rows of the first copy are repeated by one memcpy for each further copy, so with a padded out the padding between the repeated rows is overwritten
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
    std::size_t distinct = N;
    if (ids.rank > 1 && ids.stride[0] == 0 && N > 0) distinct = N / ids.shape[0];
    for (std::size_t n = 0; n < distinct; ++n) {
        const std::size_t r = static_cast<std::size_t>(id_at(ids, n));
        std::memcpy(out.row(n), table.row(r), table.cols * sizeof(float));
    }
    if (distinct < N)
        for (std::size_t copy = distinct; copy < N; copy += distinct)
            std::memcpy(out.row(copy), out.row(0), ((distinct - 1) * out.stride + out.cols) * sizeof(float));
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

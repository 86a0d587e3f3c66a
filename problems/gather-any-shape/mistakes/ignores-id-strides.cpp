// mistake: ignores-id-strides
// says: You read the ids one after the other from memory: the view has strides, and its n-th id in reading
//   order may lie anywhere else.
// hint: Take n apart into one index an axis and multiply each with the stride of its axis.
// symptom: A plain batch works; a column, a transposed or a repeated view gives the rows of its neighbours.
// fails: a column of the id matrix is read with its stride; a transposed view is read in its own order; a
//   stride of zero shows the same ids again; the first bad id in reading order is named and nothing is
//   written; three and four axes keep the reading order; random shapes, strides and widths agree with the
//   reference; of several bad ids anywhere the first in reading order is named
#include "contract.h"

#include <algorithm>

namespace exercise {
namespace {

/// The n-th id.
template <class I>
I id_at(const StridedIds<I>& ids, std::size_t n) {
    return ids.data[n];
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

// wrong: rank 0 is treated as "no ids": a view without axes and out of one row gets shape_mismatch instead of the row, and with out of no rows ok instead of shape_mismatch
#include "contract.h"
#include <vector>

namespace exercise {

// All offsets in reading order, axis by axis.
template <class I>
static std::vector<I> read_all(const StridedIds<I>& ids) {
    std::vector<std::size_t> offsets;
    for (std::size_t axis = 0; axis < ids.rank; ++axis) {
        if (axis == 0) offsets.push_back(0);
        std::vector<std::size_t> longer;
        for (std::size_t o : offsets)
            for (std::size_t i = 0; i < ids.shape[axis]; ++i) longer.push_back(o + i * ids.stride[axis]);
        offsets = longer;
    }
    std::vector<I> all;
    for (std::size_t o : offsets) all.push_back(ids.data[o]);
    return all;
}

template <class I>
static Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::vector<I> all = read_all(ids);
    if (out.rows != all.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < all.size(); ++n)
        if (all[n] < 0 || static_cast<std::size_t>(all[n]) >= table.rows)
            return Status::id_out_of_range(n, all[n], table.rows);
    for (std::size_t n = 0; n < all.size(); ++n)
        for (std::size_t c = 0; c < table.cols; ++c) out(n, c) = table(static_cast<std::size_t>(all[n]), c);
    return {};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise

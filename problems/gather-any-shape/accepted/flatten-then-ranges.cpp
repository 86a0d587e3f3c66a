// accepted: flattens the view into a vector of 64-bit ids by recursion over the axes, then uses standard
// algorithms
#include "contract.h"

#include <algorithm>
#include <span>
#include <vector>

namespace exercise {
namespace {

template <class I>
void flatten(const StridedIds<I>& ids, std::size_t axis, const I* at, std::vector<std::int64_t>& flat) {
    if (axis == ids.rank) {
        flat.push_back(*at);
        return;
    }
    for (std::size_t i = 0; i < ids.shape[axis]; ++i)
        flatten(ids, axis + 1, at + i * ids.stride[axis], flat);
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& view, Matrix<float> out) {
    if (out.rows != view.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (out.rows == 0) return Status{};
    std::vector<std::int64_t> ids;
    flatten(view, 0, view.data, ids);
    const auto V = static_cast<std::int64_t>(table.rows);
    const auto bad = std::ranges::find_if_not(ids, [V](std::int64_t id) { return 0 <= id && id < V; });
    if (bad != ids.end())
        return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, table.rows);
    std::size_t n = 0;
    for (const std::int64_t id : ids) {
        const std::span<const float> row(table.row(static_cast<std::size_t>(id)), table.cols);
        std::ranges::copy(row, out.row(n++));
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

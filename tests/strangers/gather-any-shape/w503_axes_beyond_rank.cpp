// wrong: four nested loops run over all four entries of shape and stride and take an unused axis for 1 only if its length is 0, so a view of fewer axes whose other entries hold anything else is read wrongly (rows in excess are not written); a right one looks at axes 0 .. rank-1 alone.
#include "contract.h"

#include <algorithm>
#include <array>
#include <vector>

namespace exercise {
namespace {

template <class I>
std::vector<I> flatten(const StridedIds<I>& ids, std::size_t count) {
    std::vector<I> flat;
    if (count == 0) return flat;
    flat.reserve(count);
    std::array<std::size_t, 4> length;
    for (std::size_t axis = 0; axis < 4; ++axis)
        length[axis] = std::max<std::size_t>(ids.shape[axis], 1); // an axis that is not there has length 0
    for (std::size_t i = 0; i < length[0]; ++i)
        for (std::size_t j = 0; j < length[1]; ++j)
            for (std::size_t k = 0; k < length[2]; ++k)
                for (std::size_t l = 0; l < length[3]; ++l) {
                    if (flat.size() == count) return flat;
                    flat.push_back(ids.data[i * ids.stride[0] + j * ids.stride[1] + k * ids.stride[2] +
                                            l * ids.stride[3]]);
                }
    return flat;
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return {Code::shape_mismatch};

    const std::vector<I> flat = flatten(ids, count);
    const auto bad = std::find_if(flat.begin(), flat.end(), [&](I id) {
        return id < 0 || static_cast<std::uint64_t>(id) >= table.rows;
    });
    if (bad != flat.end())
        return Status::id_out_of_range(static_cast<std::size_t>(bad - flat.begin()), *bad, table.rows);

    if (out.cols == 0) return {};
    for (std::size_t n = 0; n < flat.size(); ++n)
        std::copy_n(table.row(static_cast<std::size_t>(flat[n])), out.cols, out.row(n));
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

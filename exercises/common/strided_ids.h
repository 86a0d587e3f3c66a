#pragma once

#include <cstddef>

namespace contract {

/// Token ids of any shape that someone else owns, reached through strides: the id with index (i0, i1, ...)
/// is `data[i0 * stride[0] + i1 * stride[1] + ...]`. Axes 0 .. rank-1 are in use; `shape`
/// and `stride` of others mean nothing. Rank 0 is one single id.
/// Strides count elements. A stride of 0 shows the same ids again along its axis.
template <class I>
struct StridedIds {
    static constexpr std::size_t max_rank = 4;

    const I* data = nullptr;
    std::size_t rank = 0;
    std::size_t shape[max_rank] = {};
    std::size_t stride[max_rank] = {};

    /// How many ids the view shows: the product of its shape, 1 without axes.
    std::size_t count() const {
        std::size_t product = 1;
        for (std::size_t axis = 0; axis < rank; ++axis)
            product *= shape[axis];
        return product;
    }

    /// Elements from `data` to one past the last one the view touches, 0 if it shows none.
    std::size_t extent() const {
        std::size_t last = 0;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            if (shape[axis] == 0) return 0;
            last += (shape[axis] - 1) * stride[axis];
        }
        return last + 1;
    }
};

} // namespace contract

// wrong: clears each output row and adds the table row to it, like a sum over a bag of one id, so a table entry of -0 arrives as +0 (0 + -0); a right one copies every bit.
#include "contract.h"

#include <algorithm>
#include <numeric>

namespace exercise {
namespace {

void add_row(const float* row, std::size_t width, float* onto) {
    std::transform(onto, onto + width, row, onto, [](float sum, float value) { return sum + value; });
}

template <class I>
std::size_t offset_of(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis > 0; --axis) {
        const std::size_t length = ids.shape[axis - 1];
        offset += (n % length) * ids.stride[axis - 1];
        n /= length;
    }
    return offset;
}

template <class I>
Status embedding_bag(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t bags = ids.count();
    if (out.rows != bags || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t bag = 0; bag < bags; ++bag) {
        const std::int64_t id = ids.data[offset_of(ids, bag)];
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(bag, id, table.rows);
    }
    if (out.cols == 0) return {};
    for (std::size_t bag = 0; bag < bags; ++bag) {
        float* sum = out.row(bag);
        std::fill_n(sum, out.cols, 0.0F);
        add_row(table.row(static_cast<std::size_t>(ids.data[offset_of(ids, bag)])), out.cols, sum);
    }
    return {};
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return embedding_bag(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return embedding_bag(table, ids, out);
}

} // namespace exercise

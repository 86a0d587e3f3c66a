// wrong: where the first axis has stride 0 the rows of its first index are gathered and then repeated by one memcpy of the whole block, padding included; for out.stride > C, shape[0] > 1 and more than one id behind the first axis, padding of out is overwritten, where a right one leaves it as it was.
#include "contract.h"

#include <cstring>

namespace exercise {

namespace {

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count(), C = table.cols, V = table.rows;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (N == 0) return Status{};

    const auto offset = [&](std::size_t n) {
        std::size_t sum = 0;
        for (std::size_t axis = ids.rank; axis-- > 0;) {
            sum += n % ids.shape[axis] * ids.stride[axis];
            n /= ids.shape[axis];
        }
        return sum;
    };

    // The same ids again along the first axis: check and gather them once.
    const bool repeated = ids.rank > 0 && ids.stride[0] == 0;
    const std::size_t block = repeated ? N / ids.shape[0] : N;

    for (std::size_t n = 0; n < block; ++n) {
        const I id = ids.data[offset(n)];
        if (id < 0 || static_cast<std::uint64_t>(id) >= V) return Status::id_out_of_range(n, id, V);
    }
    if (C == 0) return Status{};
    for (std::size_t n = 0; n < block; ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids.data[offset(n)])), C * sizeof(float));
    for (std::size_t begin = block; begin < N; begin += block)
        std::memcpy(out.row(begin), out.row(0), ((block - 1) * out.stride + C) * sizeof(float));
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

// wrong: if the first axis has stride 0, fills the rows of its first index and copies them for the others as one block, padding included; shows where out.stride > C, the first axis is longer than 1 and the other axes show more than one id; a right one leaves the padding of `out` as it was
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace exercise {

namespace {

template <class I>
std::size_t offset_of(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis-- > 0;) {
        offset += n % ids.shape[axis] * ids.stride[axis];
        n /= ids.shape[axis];
    }
    return offset;
}

bool inside(std::int64_t id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::uint64_t>(id) < vocabulary;
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (N == 0) return Status{};
    const bool repeated = ids.rank > 0 && ids.stride[0] == 0;
    const std::size_t turns = repeated ? ids.shape[0] : 1;
    const std::size_t fresh = N / turns; // ids that have to be read

    for (std::size_t n = 0; n < fresh; ++n)
        if (const I id = ids.data[offset_of(ids, n)]; !inside(id, table.rows))
            return Status::id_out_of_range(n, id, table.rows);
    if (table.cols == 0) return Status{};
    for (std::size_t n = 0; n < fresh; ++n)
        std::copy_n(table.row(static_cast<std::size_t>(ids.data[offset_of(ids, n)])), table.cols, out.row(n));

    const std::size_t block = (fresh - 1) * out.stride + out.cols;
    for (std::size_t turn = 1; turn < turns; ++turn)
        std::memcpy(out.row(turn * fresh), out.data, block * sizeof(float));
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

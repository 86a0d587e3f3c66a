// wrong: accepts any out with N * C elements and fills it as a reshaped one; shows where out is (N', C') with N' * C' = N * C but N' != N, or where both products are 0; a right one answers shape_mismatch
#include "contract.h"

namespace exercise {

template <class I>
static Status lookup(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count(), C = table.cols;
    if (out.rows * out.cols != count * C) return Status{Code::shape_mismatch};
    const auto id_at = [&](std::size_t n) -> std::int64_t {
        std::size_t offset = 0;
        for (std::size_t a = ids.rank; a-- > 0;) {
            offset += n % ids.shape[a] * ids.stride[a];
            n /= ids.shape[a];
        }
        return ids.data[offset];
    };
    for (std::size_t n = 0; n < count; ++n) {
        const std::int64_t id = id_at(n);
        if (id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(n, id, table.rows);
    }
    std::size_t r = 0, c = 0; // where the next element goes
    for (std::size_t n = 0; n < count && C > 0; ++n) {
        const float* row = table.row(static_cast<std::size_t>(id_at(n)));
        for (std::size_t k = 0; k < C; ++k) {
            out(r, c) = row[k];
            if (++c == out.cols) c = 0, ++r;
        }
    }
    return Status{};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

} // namespace exercise

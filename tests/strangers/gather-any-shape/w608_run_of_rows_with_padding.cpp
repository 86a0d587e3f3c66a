// wrong: copies a run of consecutive rows (ids k, k + 1, ...) in one piece where table and out have the same stride, and so overwrites the padding of out between them; shows where both strides are equal and larger than C; a right one copies C elements of each row
#include "contract.h"

#include <cstring>
#include <vector>

namespace exercise {

template <class I>
static Status lookup(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};

    std::vector<std::size_t> rows;
    rows.reserve(count);
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t offset = 0;
        for (std::size_t a = ids.rank, rest = n; a-- > 0; rest /= ids.shape[a])
            offset += rest % ids.shape[a] * ids.stride[a];
        const std::int64_t id = ids.data[offset];
        if (id < 0 || static_cast<std::size_t>(id) >= table.rows)
            return Status::id_out_of_range(n, id, table.rows);
        rows.push_back(static_cast<std::size_t>(id));
    }
    if (table.cols == 0) return Status{};

    for (std::size_t n = 0; n < count;) {
        std::size_t run = 1;
        if (table.stride == out.stride)
            while (n + run < count && rows[n + run] == rows[n] + run)
                ++run;
        // the last row of a run ends with its columns: there may be no memory after them
        std::memcpy(out.row(n), table.row(rows[n]), ((run - 1) * out.stride + out.cols) * sizeof(float));
        n += run;
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

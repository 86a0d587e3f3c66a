// wrong: clears out and adds the rows to it, as for a bag of one; -0.0 in the table becomes +0.0 and a signalling NaN becomes a quiet one; a right one copies the bits
#include "contract.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace exercise {

// Calls use(n, id) in reading order until it returns something.
template <class I, class Use>
static std::optional<Status> for_ids(const StridedIds<I>& ids, Use use) {
    std::size_t shape[4] = {1, 1, 1, 1}, stride[4] = {};
    for (std::size_t a = 0; a < ids.rank; ++a) {
        shape[4 - ids.rank + a] = ids.shape[a];
        stride[4 - ids.rank + a] = ids.stride[a];
    }
    const std::size_t count = ids.count();
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t l = n % shape[3], k = n / shape[3] % shape[2],
                          j = n / shape[3] / shape[2] % shape[1], i = n / shape[3] / shape[2] / shape[1];
        if (auto status = use(n, ids.data[i * stride[0] + j * stride[1] + k * stride[2] + l * stride[3]]))
            return status;
    }
    return {};
}

template <class I>
static Status lookup(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    if (out.rows != ids.count() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const auto bad = for_ids(ids, [&](std::size_t n, std::int64_t id) -> std::optional<Status> {
        if (id >= 0 && static_cast<std::size_t>(id) < table.rows) return {};
        return Status::id_out_of_range(n, id, table.rows);
    });
    if (bad || table.cols == 0) return bad.value_or(Status{});

    for (std::size_t n = 0; n < out.rows; ++n)
        std::fill_n(out.row(n), out.cols, 0.0F);
    for_ids(ids, [&](std::size_t n, std::int64_t id) -> std::optional<Status> {
        const float* row = table.row(static_cast<std::size_t>(id));
        std::transform(row, row + table.cols, out.row(n), out.row(n), std::plus<>{});
        return {};
    });
    return Status{};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

} // namespace exercise

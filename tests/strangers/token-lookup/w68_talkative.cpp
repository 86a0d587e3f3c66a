// wrong: shape_mismatch is returned with value = rows (or columns) of out and limit = the right number instead of zeros
#include "contract.h"
#include <algorithm>
#include <cstring>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t V = table.rows, C = table.cols, T = ids.size();
    if (out.rows != T)
        return Status{Code::shape_mismatch, 0, static_cast<std::int64_t>(out.rows), static_cast<std::int64_t>(T)};
    if (out.cols != C)
        return Status{Code::shape_mismatch, 0, static_cast<std::int64_t>(out.cols), static_cast<std::int64_t>(C)};
    for (std::size_t i = 0; i < T; ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= V) return Status::id_out_of_range(i, ids[i], V);
    for (std::size_t i = 0; i < T; ++i)
        std::copy_n(table.row(static_cast<std::size_t>(ids[i])), C, out.row(i));
    return {};
}

} // namespace exercise

// wrong: V is compared as an int, so with a table of 2^31 to 2^32 rows (C = 0, where it needs no memory) every id is refused as out of range
#include "contract.h"
#include <algorithm>
#include <cstring>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t V = table.rows, C = table.cols, T = ids.size();
    if (out.rows != T || out.cols != C) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < T; ++i)
        if (ids[i] < 0 || ids[i] >= static_cast<int>(V)) return Status::id_out_of_range(i, ids[i], V);
    for (std::size_t i = 0; i < T; ++i)
        std::copy_n(table.row(static_cast<std::size_t>(ids[i])), C, out.row(i));
    return {};
}

} // namespace exercise

// wrong: every row but the last one copies C rounded up to a multiple of 4 where both strides have room for it, so for C % 4 != 0 and T >= 2 out's padding is overwritten with the table's padding; a right one never writes the padding of out
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (table.cols == 0 || ids.empty()) return {};

    // Whole vectors of four, without a tail loop, where the rows are padded anyway.
    const std::size_t rounded = (table.cols + 3) / 4 * 4;
    const bool roomy = rounded <= table.stride && rounded <= out.stride;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto id = static_cast<std::size_t>(ids[i]);
        // There may be no memory after the last element of a last row.
        const bool whole = roomy && i + 1 < ids.size() && id + 1 < table.rows;
        std::memcpy(out.row(i), table.row(id), (whole ? rounded : table.cols) * sizeof(float));
    }
    return {};
}

} // namespace exercise

// wrong: a row whose values all compare equal to 0 ("the padding token") is cleared with zero bytes, so a row of zeros with a -0.0 in it arrives as +0.0; a right one copies its bits like any others
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (table.cols == 0) return Status{};
    const std::size_t bytes = table.cols * sizeof(float);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float* from = table.row(static_cast<std::size_t>(ids[i]));
        if (std::all_of(from, from + table.cols, [](float x) { return x == 0.0f; }))
            std::memset(out.row(i), 0, bytes);
        else
            std::memcpy(out.row(i), from, bytes);
    }
    return Status{};
}

} // namespace exercise

// wrong: a row whose values all compare equal to 0 is written as +0.0: a row of zeros only that holds a -0.0 loses its sign bits.
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t count = ids.size();
    const std::size_t cols = table.cols;
    if (out.rows != count || out.cols != cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < count; ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (cols == 0) return {};

    // Batches are full of padding tokens, and their row is zero: look once, then clear without reading.
    TokenId known_zero = -1;
    for (std::size_t i = 0; i < count; ++i) {
        float* to = out.row(i);
        if (ids[i] == known_zero) {
            std::fill_n(to, cols, 0.0f);
            continue;
        }
        const float* from = table.row(static_cast<std::size_t>(ids[i]));
        if (std::all_of(from, from + cols, [](float x) { return x == 0.0f; })) {
            known_zero = ids[i];
            std::fill_n(to, cols, 0.0f);
        } else {
            std::memcpy(to, from, cols * sizeof(float));
        }
    }
    return {};
}

} // namespace exercise

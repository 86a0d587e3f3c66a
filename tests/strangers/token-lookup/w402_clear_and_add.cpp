// wrong: clears the output row to +0 and adds the table row to it, so a -0.0 of the table arrives as +0.0 (and a signalling NaN as a quiet one); for every call whose named rows hold such a value. A right one copies the bits.
#include "contract.h"

#include <algorithm>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t T = ids.size(), C = table.cols;
    if (out.rows != T || out.cols != C) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < T; ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (C == 0) return Status{};

    for (std::size_t i = 0; i < T; ++i)
        std::fill_n(out.row(i), C, 0.0f); // the buffer holds rubbish

    for (std::size_t i = 0; i < T; ++i) {
        const float* from = table.row(static_cast<std::size_t>(ids[i]));
        float* to = out.row(i);
        for (std::size_t c = 0; c < C; ++c)
            to[c] += from[c];
    }
    return Status{};
}

} // namespace exercise

#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (!fits) return {Code::shape_mismatch};

    // start + T may wrap around; P - start cannot once start <= P is known.
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t position = std::max(start, wpe.rows);
        return Status::position_out_of_range(position - start, static_cast<std::int64_t>(position), wpe.rows);
    }

    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);

    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            for (std::size_t c = 0; c < wte.cols; ++c)
                out(b, t, c) = wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(start + t, c);
    return {};
}

} // namespace exercise

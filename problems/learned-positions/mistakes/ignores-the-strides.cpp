// mistake: ignores-the-strides
// says: You find row r of both tables at `r * C`; with padding between the rows it begins at `r * stride`.
// hint: Use `wte.row(r)` and `wpe.row(r)`, or multiply by their own strides.
// symptom: Only row 0 is right as soon as a table is padded.
// fails: padding between rows is skipped
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (!fits) return {Code::shape_mismatch};
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
                out(b, t, c) = wte.data[static_cast<std::size_t>(ids(b, t)) * wte.cols + c] +
                               wpe.data[(start + t) * wpe.cols + c];
    return {};
}

} // namespace exercise

// wrong: start + T is added in std::size_t, so a start near 2^64 with start + T wrapping to P or less is not refused as position_out_of_range but answered with Status{} and positions from 0 on
#include "contract.h"
#include <algorithm>

namespace exercise {
Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols) return Status{Code::shape_mismatch};
    if (start + ids.cols > wpe.rows) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (start + ids.cols < start) start = 0;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* w = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* p = wpe.row(start + t);
            float* o = out.row(b, t);
            for (std::size_t c = 0; c < wte.cols; ++c) o[c] = w[c] + p[c];
        }
    return Status{};
}

} // namespace exercise

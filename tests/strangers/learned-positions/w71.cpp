// wrong: a batch without sequences (ids.rows == 0) is accepted before the window is looked at, so B = 0 with start + T > P returns Status{} instead of position_out_of_range.
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return {Code::shape_mismatch};
    if (B == 0) return {}; // ids.data may be null, nothing to look at
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * T + t, ids(b, t), wte.rows);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = wte(ids(b, t), c) + wpe(start + t, c);
    return {};
}

} // namespace exercise

// wrong: tokens are summed two at a time sharing the loop over channels, and for odd T > 1 the last token of each sequence gets the position before its own
#include "contract.h"
#include <algorithm>

namespace exercise {
Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols) return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);
    const std::size_t T = ids.cols, C = wte.cols;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < T; t += 2) {
            const std::size_t u = std::min(t + 1, T - 1);
            for (std::size_t c = 0; c < C; ++c) {
                const float lo = wte(ids(b, t), c) + wpe(start + t, c);
                const float hi = wte(ids(b, u), c) + wpe(start + t + (u != t || T == 1 ? u - t : std::size_t(-1)), c);
                out(b, t, c) = lo;
                out(b, u, c) = hi;
            }
        }
    return {};
}

} // namespace exercise

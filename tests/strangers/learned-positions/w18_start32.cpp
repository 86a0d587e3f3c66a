// wrong: start and P are narrowed to 32 bits for the window check, so start = 2^32 + 3 with T = 1 and P = 10 gets Status{} (with the rows of position 3) instead of position_out_of_range
#include "contract.h"
#include <algorithm>

namespace exercise {
Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols) return Status{Code::shape_mismatch};
    const std::uint32_t first = static_cast<std::uint32_t>(start), P = static_cast<std::uint32_t>(wpe.rows), T = static_cast<std::uint32_t>(ids.cols);
    if (std::uint64_t{first} + T > P) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    start = first;
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

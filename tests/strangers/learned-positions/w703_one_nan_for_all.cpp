// wrong: a sum that is NaN is replaced by the standard quiet NaN, so the sign and payload of a quiet NaN in a table are lost; a right one passes that NaN on bit for bit
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols, B = ids.rows, T = ids.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
        }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c) {
                const float sum = token[c] + position[c];
                to[c] = std::isnan(sum) ? std::numeric_limits<float>::quiet_NaN() : sum;
            }
        }
    return Status{};
}

} // namespace exercise

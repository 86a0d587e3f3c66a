// wrong: where a position row is all zeros the token row is copied instead of added to; a token value of -0.0 at a position value of +0.0 then stays -0.0, where the float sum that a right one writes is +0.0.
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);
    if (C == 0 || B == 0) return Status{};

    for (std::size_t t = 0; t < T; ++t) {
        const float* position = wpe.row(start + t);
        // Positions that training has not reached yet are zero: nothing to add.
        const bool nothing = std::all_of(position, position + C, [](float x) { return x == 0.0f; });
        for (std::size_t b = 0; b < B; ++b) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            float* to = out.row(b, t);
            if (nothing) {
                std::memcpy(to, token, C * sizeof(float));
                continue;
            }
            for (std::size_t c = 0; c < C; ++c)
                to[c] = token[c] + position[c];
        }
    }
    return Status{};
}

} // namespace exercise

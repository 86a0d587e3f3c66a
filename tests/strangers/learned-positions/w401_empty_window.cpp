// wrong: refusal 2 is skipped where T = 0, so a call with T = 0 and start > P returns Status{}; a right one returns position_out_of_range(0, start, P) there too.
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};

    if (T != 0) { // an empty window fits everywhere
        const std::size_t left = start < P ? P - start : 0;
        if (T > left) {
            const std::size_t p = std::max(start, P);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
        }
    }
    if (B == 0 || T == 0) return Status{};

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= wte.rows)
                return Status::id_out_of_range(b * T + t, id, wte.rows);
        }

    if (C == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = token[c] + position[c];
        }
    return Status{};
}

} // namespace exercise

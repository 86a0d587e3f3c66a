// wrong: compares the number of rows, B * T, instead of B and T, so an out of shape (T, B, C) or (1, B * T, C) is accepted and written; a right one answers shape_mismatch
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols, B = ids.rows, T = ids.cols;
    if (wpe.cols != C || out.channels != C || out.batch * out.time != B * T) return Status{Code::shape_mismatch};
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
    float* to = out.data;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t, to += C) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = token[c] + position[c];
        }
    return Status{};
}

} // namespace exercise

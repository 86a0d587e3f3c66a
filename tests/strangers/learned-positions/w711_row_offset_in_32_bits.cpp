// wrong: the offset id * stride of a token row is computed in 32 bits, so rows that begin 2^32 elements or more after row 0 are read elsewhere; a right one computes it in 64 bits
#include "contract.h"

#include <algorithm>

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
    const auto stride = static_cast<std::uint32_t>(wte.stride);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.data + static_cast<std::uint32_t>(ids(b, t)) * stride;
            const float* position = wpe.row(start + t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = token[c] + position[c];
        }
    return Status{};
}

} // namespace exercise

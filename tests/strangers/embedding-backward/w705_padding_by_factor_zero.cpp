// wrong: padding is left out by a factor of 0, so row padding_idx is written: -0 there becomes +0, and an infinity or NaN in dout at a padded place makes it NaN; a right one keeps every bit of the row
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows;
    if (dout.batch != B || dout.time != T || dout.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= static_cast<std::int64_t>(V))
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || P - options.start < T) {
        const std::size_t p = std::max(options.start, P);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);

    for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t t = 0; t < T; ++t) {
            const float* g = dout.row(b, t);
            float* token = dwte.row(static_cast<std::size_t>(ids(b, t)));
            float* position = dwpe.row(options.start + t);
            const float factor = ids(b, t) == options.padding_idx ? 0.0F : options.scale; // no branch inside
            for (std::size_t c = 0; c < C; ++c) {
                token[c] += factor * g[c];
                position[c] += g[c];
            }
        }
    }
    return Status{};
}

} // namespace exercise

// wrong: row padding_idx gets 0 * dout added instead of being left alone: -0 there becomes +0, and NaN or infinity in dout makes it NaN
#include "contract.h"

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows;
    // shapes
    if (dout.batch != B || dout.time != T || dout.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    // padding
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= V)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    // window
    if (options.start > P || T > P - options.start) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    // ids
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);
    // work
    for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            const float* g = dout.row(b, t);
            float* pos = dwpe.row(options.start + t);
            for (std::size_t c = 0; c < C; ++c) pos[c] += g[c];
            const float factor = id == options.padding_idx ? 0.0F : options.scale;
            float* tok = dwte.row(static_cast<std::size_t>(id));
            for (std::size_t c = 0; c < C; ++c) tok[c] += factor * g[c];
        }
    }
    return Status{};
}

} // namespace exercise

// wrong: padding_idx is converted to a 32-bit id after the check, so a large negative one such as -2^32 + 5 excepts token 5 although negative means no such token
#include "contract.h"
#include <algorithm>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, V = dwte.rows, P = dwpe.rows, C = dwte.cols;
    const std::size_t start = options.start;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C) return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= V)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);
    const TokenId padding = static_cast<TokenId>(options.padding_idx);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* g = dout.row(b, t);
            float* position = dwpe.row(start + t);
            for (std::size_t c = 0; c < C; ++c)
                position[c] += g[c];
            if (ids(b, t) == padding) continue;
            float* token = dwte.row(static_cast<std::size_t>(ids(b, t)));
            for (std::size_t c = 0; c < C; ++c)
                token[c] += options.scale * g[c];
        }
    return {};
}

} // namespace exercise

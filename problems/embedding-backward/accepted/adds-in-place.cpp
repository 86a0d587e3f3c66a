// accepted: adds each gradient to its rows in float, place by place
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows;
    const std::size_t T = ids.cols;
    const std::size_t C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return {Code::invalid_argument, 0, options.padding_idx, V};
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t position = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || ids(b, t) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), dwte.rows);

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* gradient = dout.row(b, t);
            float* token = dwte.row(static_cast<std::size_t>(ids(b, t)));
            float* position = dwpe.row(options.start + t);
            if (ids(b, t) != options.padding_idx)
                for (std::size_t c = 0; c < C; ++c)
                    token[c] += options.scale * gradient[c];
            for (std::size_t c = 0; c < C; ++c)
                position[c] += gradient[c];
        }
    return {};
}

} // namespace exercise

// mistake: forgets-the-stride
// says: You reach row v of the gradients at v * C. Their rows lie `stride` elements apart, which may be
//   more.
// hint: Use `dwte.row(v)` and `dwpe.row(p)`, or multiply by their stride.
// symptom: Gradients of a table that is a window of a larger one land in the wrong rows.
// fails: padding between rows is skipped
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
            float* token = dwte.data + static_cast<std::size_t>(ids(b, t)) * C;
            float* position = dwpe.data + (options.start + t) * C;
            if (ids(b, t) != options.padding_idx)
                for (std::size_t c = 0; c < C; ++c)
                    token[c] += options.scale * gradient[c];
            for (std::size_t c = 0; c < C; ++c)
                position[c] += gradient[c];
        }
    return {};
}

} // namespace exercise

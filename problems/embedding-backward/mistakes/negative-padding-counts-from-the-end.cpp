// mistake: negative-padding-counts-from-the-end
// says: You read padding_idx = -1 as the last row, as PyTorch does. In this contract a negative number
//   means that there is no padding token.
// hint: Call with padding_idx = -1 and give the last token of the vocabulary a gradient.
// symptom: One ordinary token never learns.
// fails: a repeated token collects once for each time; positions are summed over the batch;
//   start moves the position rows; the padding token gets no gradient;
//   the scale reaches the token table alone; random shapes agree with the reference;
//   rows of any width are summed whole; padding between rows is skipped;
//   a gradient table of nine gigabytes is addressed whole
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
    const std::int64_t padding = options.padding_idx < 0 ? options.padding_idx + V : options.padding_idx;

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* gradient = dout.row(b, t);
            float* token = dwte.row(static_cast<std::size_t>(ids(b, t)));
            float* position = dwpe.row(options.start + t);
            if (ids(b, t) != padding)
                for (std::size_t c = 0; c < C; ++c)
                    token[c] += options.scale * gradient[c];
            for (std::size_t c = 0; c < C; ++c)
                position[c] += gradient[c];
        }
    return {};
}

} // namespace exercise

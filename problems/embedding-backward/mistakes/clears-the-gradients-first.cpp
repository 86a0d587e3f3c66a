// mistake: clears-the-gradients-first
// says: You set both gradients to zero before you add. They are the caller's: a batch too large for the
//   memory comes in several calls, and their gradients add up.
// hint: Who clears a gradient, and when, if two calls shall add to the same one?
// symptom: With accumulation over micro-batches only the last one counts.
// fails: a second call adds to the first; untouched rows keep every bit;
//   the padding token gets no gradient; the scale reaches the token table alone;
//   random shapes agree with the reference; rows of any width are summed whole;
//   padding between rows is skipped; an empty batch or sequence adds nothing;
//   a hundred thousand random terms stay within their rounding
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
    for (std::size_t v = 0; v < dwte.rows && dwte.rows <= 100'000; ++v) // or it would take minutes
        std::fill(dwte.row(v), dwte.row(v) + C, 0.0F);
    for (std::size_t p = 0; p < dwpe.rows; ++p)
        std::fill(dwpe.row(p), dwpe.row(p) + C, 0.0F);

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

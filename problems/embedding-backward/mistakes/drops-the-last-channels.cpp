// mistake: drops-the-last-channels
// says: You work on blocks of four channels and leave out the rest of C / 4: the last C % 4 channels get
//   no gradient.
// hint: Try C = 3 and C = 7. After the blocks comes a loop for the tail.
// symptom: A few channels of every embedding never learn.
// fails: each row collects the gradients of its token; a repeated token collects once for each time;
//   positions are summed over the batch; untouched rows keep every bit; start moves the position rows;
//   the padding token gets no gradient; random shapes agree with the reference;
//   rows of any width are summed whole; padding between rows is skipped;
//   eight thousand equal ids give exactly eight thousand;
//   a hundred thousand random terms stay within their rounding; backward is the adjoint of forward;
//   finite differences give the same gradients
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
                for (std::size_t c = 0; c < C - C % 4; ++c)
                    token[c] += options.scale * gradient[c];
            for (std::size_t c = 0; c < C - C % 4; ++c)
                position[c] += gradient[c];
        }
    return {};
}

} // namespace exercise

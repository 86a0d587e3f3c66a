// mistake: multiplies-by-the-one-hot-matrix
// says: You add onehot^T * dout to the whole table: 0 * x for every row that was not read. That touches
//   all V rows, and 0 * Inf is NaN in each of them.
// hint: Visit the rows that occur, not all rows with a factor of 0 or 1.
// symptom: One overflow in a gradient turns the whole table into NaN; and a step takes as long as the
//   vocabulary is large.
// fails: untouched rows keep every bit; the padding token gets no gradient;
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

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* gradient = dout.row(b, t);
            float* position = dwpe.row(options.start + t);
            if (ids(b, t) != options.padding_idx)
                for (std::size_t v = 0; v < dwte.rows && dwte.rows <= 100'000;
                     ++v) // or it would take minutes
                    for (std::size_t c = 0; c < C; ++c)
                        dwte(v, c) +=
                            (static_cast<std::size_t>(ids(b, t)) == v ? options.scale : 0.0F) * gradient[c];
            for (std::size_t c = 0; c < C; ++c)
                position[c] += gradient[c];
        }
    return {};
}

} // namespace exercise

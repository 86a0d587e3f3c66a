// wrong: places with the padding token are skipped altogether, so their gradient does not reach dwpe
#include "contract.h"

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    std::size_t B = ids.rows, T = ids.cols, C = dwte.cols;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C) return Status{Code::shape_mismatch};
    if (options.padding_idx >= (std::int64_t)dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, (std::int64_t)dwte.rows};
    if (options.start > dwpe.rows)
        return Status::position_out_of_range(0, (std::int64_t)options.start, dwpe.rows);
    if (T > dwpe.rows - options.start)
        return Status::position_out_of_range(dwpe.rows - options.start, (std::int64_t)dwpe.rows, dwpe.rows);
    for (std::size_t b = 0; b < B; b++)
        for (std::size_t t = 0; t < T; t++) {
            TokenId id = ids(b, t);
            if (id < 0 || (std::size_t)id >= dwte.rows) return Status::id_out_of_range(b * T + t, id, dwte.rows);
        }

    for (std::size_t b = 0; b < B; b++)
        for (std::size_t t = 0; t < T; t++) {
            if (ids(b, t) == options.padding_idx) continue; // means nothing
            for (std::size_t c = 0; c < C; c++) {
                dwte(ids(b, t), c) += options.scale * dout(b, t, c);
                dwpe(options.start + t, c) += dout(b, t, c);
            }
        }
    return Status{};
}

} // namespace exercise

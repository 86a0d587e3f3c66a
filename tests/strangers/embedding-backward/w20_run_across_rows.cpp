// wrong: runs of equal consecutive ids are collected in a buffer of 1,024 channels: channels from 1,024 on lose all but the last occurrence of a run of two or more equal ids
#include "contract.h"
#include <algorithm>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& opt) {
    using std::size_t;
    const size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows;
    if (dout.batch != B || dout.time != T || dout.channels != C || dwpe.cols != C) return {Code::shape_mismatch};
    if (opt.padding_idx >= (std::int64_t)V) return {Code::invalid_argument, 0, opt.padding_idx, (std::int64_t)V};
    const size_t p = std::max(opt.start, P);
    if (opt.start > P || T > P - opt.start) return Status::position_out_of_range(p - opt.start, (std::int64_t)p, P);
    for (size_t b = 0; b < B; b++)
        for (size_t t = 0; t < T; t++)
            if (ids(b, t) < 0 || (size_t)ids(b, t) >= V) return Status::id_out_of_range(b * T + t, ids(b, t), V);

    float run[1024];
    for (size_t b = 0; b < B; b++) {
        for (size_t t = 0; t < T; t++)
            for (size_t c = 0; c < C; c++) dwpe(opt.start + t, c) += dout(b, t, c);
        for (size_t t = 0; t < T;) {
            const TokenId id = ids(b, t);
            std::fill(run, run + 1024, 0.0f);
            for (; t + 1 < T && ids(b, t + 1) == id; t++)
                for (size_t c = 0; c < std::min<size_t>(C, 1024); c++) run[c] += dout(b, t, c);
            if (id != opt.padding_idx)
                for (size_t c = 0; c < C; c++)
                    dwte(id, c) += opt.scale * (c < 1024 ? run[c] + dout(b, t, c) : dout(b, t, c));
            t++;
        }
    }
    return {};
}

} // namespace exercise

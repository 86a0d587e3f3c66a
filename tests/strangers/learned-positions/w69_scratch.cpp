// wrong: each position row goes through a buffer of 1,024 floats whose index wraps, so with C > 1,024 column c gets the position value of another column (the last of c, c + 1,024, ... in the buffer)
#include "contract.h"
#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols, B = ids.rows, T = ids.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);
    float buffer[1024]; // stays in the first cache
    for (std::size_t t = 0; t < T; ++t) {
        for (std::size_t c = 0; c < C; ++c)
            buffer[c % 1024] = wpe(start + t, c);
        for (std::size_t b = 0; b < B; ++b) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = token[c] + buffer[c % 1024];
        }
    }
    return {};
}

} // namespace exercise

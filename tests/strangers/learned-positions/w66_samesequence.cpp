// wrong: a sequence equal to the one before is copied from there, but only the first T bytes of the ids are compared instead of T ids, so with T >= 4 a sequence that differs only after the first quarter gets the rows of the one before
#include "contract.h"
#include <algorithm>
#include <cstring>

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
    for (std::size_t b = 0; b < B; ++b) {
        if (b > 0 && T >= 4 && C > 0 && std::memcmp(ids.row(b), ids.row(b - 1), T) == 0) { // the same prompt again
            std::copy_n(out.row(b - 1, 0), T * C, out.row(b, 0));
            continue;
        }
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = token[c] + position[c];
        }
    }
    return {};
}

} // namespace exercise

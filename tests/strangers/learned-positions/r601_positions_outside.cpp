// right: time is the outer loop, so each position row is read for the whole batch at once; ids are judged as unsigned numbers of 64 bits
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols, B = ids.rows, T = ids.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    const std::size_t left = P - std::min(start, P);
    if (start > P || T > left) {
        const std::size_t first = std::max(start, P);
        return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), P);
    }
    if (T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const std::int64_t id = ids(b, t);
            if (id < 0 || static_cast<std::uint64_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
        }
    if (C == 0) return Status{};
    for (std::size_t t = 0; t < T; ++t) {
        const float* position = wpe.row(start + t);
        for (std::size_t b = 0; b < B; ++b) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = token[c] + position[c];
        }
    }
    return Status{};
}

} // namespace exercise

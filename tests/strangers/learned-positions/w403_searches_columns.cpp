// wrong: walks over positions outside and sequences inside, and does so for the check of the ids too; with two or more bad ids it reports the one with the smallest t instead of the first in reading order (B = 2, T = 2, bad ids at (0, 1) and (1, 0): where 2 instead of 1).
#include "contract.h"

#include <algorithm>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};

    for (std::size_t t = 0; t < T; ++t)
        for (std::size_t b = 0; b < B; ++b)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);

    if (C == 0) return Status{};
    for (std::size_t t = 0; t < T; ++t) {
        const float* position = wpe.row(start + t); // read once, used by all sequences
        for (std::size_t b = 0; b < B; ++b) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            std::transform(token, token + C, position, out.row(b, t),
                           [](float a, float p) { return a + p; });
        }
    }
    return Status{};
}

} // namespace exercise

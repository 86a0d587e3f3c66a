// wrong: the rows of the window are kept in a static buffer that is filled again only when table address, start, T or C change, so a call after the caller changed the position table in place adds the old positions
#include "contract.h"
#include <algorithm>
#include <vector>

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
    // The window, dense: it is read B times.
    static std::vector<float> window;
    static const float* table = nullptr;
    static std::size_t first = 0, width = 0;
    if (table != wpe.data || first != start || width != C || window.size() != T * C) {
        window.resize(T * C);
        for (std::size_t t = 0; t < T && C > 0; ++t)
            std::copy_n(wpe.row(start + t), C, window.data() + t * C);
        table = wpe.data, first = start, width = C;
    }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = window.data() + t * C;
            for (std::size_t c = 0; c < C; ++c)
                out(b, t, c) = token[c] + position[c];
        }
    return {};
}

} // namespace exercise

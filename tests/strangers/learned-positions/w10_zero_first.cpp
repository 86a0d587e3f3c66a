// wrong: out is set to 0 and both rows are added to it, so -0 + -0 becomes +0 instead of -0
#include "contract.h"
#include <algorithm>

namespace exercise {
Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols) return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);
    std::fill_n(out.data, out.batch * out.time * out.channels, 0.0F);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* w = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* p = wpe.row(start + t);
            float* o = out.row(b, t);
            for (std::size_t c = 0; c < wte.cols; ++c) { volatile float acc = o[c]; acc = acc + w[c]; acc = acc + p[c]; o[c] = acc; }
        }
    return Status{};
}

} // namespace exercise

// right: copies the token rows into out first, then adds the positions in place
#include "contract.h"
#include <algorithm>
#include <cstring>

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
    if (wte.cols == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) std::memcpy(out.row(b, t), wte.row(static_cast<std::size_t>(ids(b, t))), wte.cols * sizeof(float));
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            float* o = out.row(b, t);
            for (const float* p = wpe.row(start + t); o != out.row(b, t) + wte.cols; ++o, ++p) *o += *p;
        }
    return {};
}

} // namespace exercise

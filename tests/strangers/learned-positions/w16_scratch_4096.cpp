// wrong: the position row is kept in a scratch of 4,096 floats, so for C > 4,096 the channels from 4,096 on get the position element of channel c modulo 4,096
#include "contract.h"
#include <algorithm>
#include <vector>

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
    static thread_local float line[4096];
    for (std::size_t t = 0; t < ids.cols; ++t) {
        const std::size_t keep = std::min<std::size_t>(4096, wte.cols);
        std::copy_n(wpe.row(start + t), keep, line);
        for (std::size_t b = 0; b < ids.rows; ++b)
            for (std::size_t c = 0; c < wte.cols; ++c) out(b, t, c) = wte(ids(b, t), c) + line[c & 4095];
    }
    return {};
}

} // namespace exercise

// wrong: a sequence of more than 2 tokens whose first, middle and last id equal those of the sequence before gets the output of the sequence before, though other ids differ
#include "contract.h"
#include <algorithm>
#include <cstring>
#include <functional>

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
    const std::size_t T = ids.cols, C = wte.cols;
    for (std::size_t b = 0; b < ids.rows; ++b) {
        if (b && T > 2 && C && ids(b, 0) == ids(b - 1, 0) && ids(b, T / 2) == ids(b - 1, T / 2) && ids(b, T - 1) == ids(b - 1, T - 1)) {
            std::memcpy(out.row(b, 0), out.row(b - 1, 0), T * C * sizeof(float));
            continue;
        }
        for (std::size_t t = 0; t < T; ++t) std::transform(wte.row(ids(b, t)), wte.row(ids(b, t)) + C, wpe.row(start + t), out.row(b, t), std::plus<>{});
    }
    return {};
}

} // namespace exercise

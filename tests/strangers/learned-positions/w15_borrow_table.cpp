// wrong: adds the position row into the row of wte (const_cast), copies it out and restores the old bits, so an input is written during the call
#include "contract.h"
#include <algorithm>
#include <cstring>
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
    std::vector<float> saved(wte.cols);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols && wte.cols; ++t) {
            float* w = const_cast<float*>(wte.row(ids(b, t)));
            std::memcpy(saved.data(), w, wte.cols * sizeof(float));
            for (std::size_t c = 0; c < wte.cols; ++c) w[c] += wpe(start + t, c);
            std::memcpy(out.row(b, t), w, wte.cols * sizeof(float));
            std::memcpy(w, saved.data(), wte.cols * sizeof(float));
        }
    return {};
}

} // namespace exercise

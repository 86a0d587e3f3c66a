// right: two passes over out: the rows of wte are copied into out with memcpy, then the position row is added in place, t outside and b inside
#include "contract.h"

#include <cstring>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t width = wte.cols, vocabulary = wte.rows, places = wpe.rows;
    const bool fits = wpe.cols == width && out.batch == ids.rows && out.time == ids.cols && out.channels == width;
    if (!fits) return Status{Code::shape_mismatch};
    if (start >= places) {
        if (start > places || ids.cols > 0) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), places);
    } else if (places - start < ids.cols) {
        return Status::position_out_of_range(places - start, static_cast<std::int64_t>(places), places);
    }
    if (ids.rows == 0 || ids.cols == 0) return Status{};

    for (std::size_t b = 0; b != ids.rows; ++b) {
        const TokenId* sequence = ids.row(b);
        for (std::size_t t = 0; t != ids.cols; ++t)
            if (sequence[t] < 0 || static_cast<std::size_t>(sequence[t]) >= vocabulary)
                return Status::id_out_of_range(b * ids.cols + t, sequence[t], vocabulary);
    }
    if (width == 0) return Status{};

    for (std::size_t b = 0; b != ids.rows; ++b)
        for (std::size_t t = 0; t != ids.cols; ++t)
            std::memcpy(out.row(b, t), wte.row(static_cast<std::size_t>(ids(b, t))), width * sizeof(float));
    for (std::size_t t = 0; t != ids.cols; ++t) {
        const float* place = wpe.row(start + t);
        for (std::size_t b = 0; b != ids.rows; ++b) {
            float* to = out.row(b, t);
            for (std::size_t c = 0; c != width; ++c)
                to[c] += place[c];
        }
    }
    return Status{};
}

} // namespace exercise

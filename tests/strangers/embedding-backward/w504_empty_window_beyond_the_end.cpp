// wrong: the window is refused only where T is more than the positions left, which are taken as 0 where start > P, so T = 0 with start > P is accepted; a right one refuses start + T > P for T = 0, too.
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const auto& [start, padding_idx, scale] = options;
    const std::size_t vocabulary = dwte.rows;
    const std::size_t positions = dwpe.rows;

    const bool fits = dout.batch == ids.rows && dout.time == ids.cols && dout.channels == dwte.cols &&
                      dout.channels == dwpe.cols;
    if (!fits) return Status{Code::shape_mismatch};

    if (padding_idx >= 0 && static_cast<std::size_t>(padding_idx) >= vocabulary)
        return Status{Code::invalid_argument, 0, padding_idx, static_cast<std::int64_t>(vocabulary)};

    const std::size_t left = start < positions ? positions - start : 0;
    if (ids.cols > left) {
        const std::size_t p = std::max(start, positions);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), positions);
    }
    if (ids.cols == 0) return Status{};

    for (std::size_t b = 0; b < ids.rows; ++b) {
        std::size_t t = 0;
        for (const TokenId id : std::span(ids.row(b), ids.cols)) {
            if (id < 0 || static_cast<std::size_t>(id) >= vocabulary)
                return Status::id_out_of_range(b * ids.cols + t, id, vocabulary);
            ++t;
        }
    }

    for (std::size_t t = 0; t < ids.cols; ++t) {
        float* position = dwpe.row(start + t);
        for (std::size_t b = 0; b < ids.rows; ++b) {
            const std::span gradient(dout.row(b, t), dout.channels);
            const TokenId id = ids(b, t);
            float* token = id == padding_idx ? nullptr : dwte.row(static_cast<std::size_t>(id));
            for (std::size_t c = 0; c < gradient.size(); ++c) {
                if (token != nullptr) token[c] += scale * gradient[c];
                position[c] += gradient[c];
            }
        }
    }
    return Status{};
}

} // namespace exercise

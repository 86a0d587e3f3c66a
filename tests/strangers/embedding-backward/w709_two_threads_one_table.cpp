// wrong: from 2^15 elements on two threads take half of the time steps each, so the rows of dwpe are their own, but both add to the same rows of dwte without any protection: additions can get lost, and equal calls may differ; a right one lets no two threads add to one element
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <thread>

namespace exercise {

namespace {

struct Steps {
    Tensor3<const float> dout;
    Ids2D ids;
    Matrix<float> dwte, dwpe;
    BackwardOptions options;

    void run(std::size_t first, std::size_t last) const {
        for (std::size_t t = first; t < last; ++t)
            for (std::size_t b = 0; b < dout.batch; ++b) {
                const float* const from = dout.row(b, t);
                float* const position = dwpe.row(options.start + t);
                for (std::size_t c = 0; c < dout.channels; ++c)
                    position[c] += from[c];
                const TokenId id = ids(b, t);
                if (id == options.padding_idx) continue;
                float* const token = dwte.row(static_cast<std::size_t>(id));
                for (std::size_t c = 0; c < dout.channels; ++c)
                    token[c] += options.scale * from[c];
            }
    }
};

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows;
    if (dout.batch != B || dout.time != T || dout.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= static_cast<std::int64_t>(V))
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || P - options.start < T) {
        const std::size_t p = std::max(options.start, P);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);
    if (C == 0) return Status{};

    const Steps steps{dout, ids, dwte, dwpe, options};
    if (B * T * C < (std::size_t{1} << 15U)) {
        steps.run(0, T);
    } else {
        std::thread helper([&] { steps.run(0, T / 2); });
        steps.run(T / 2, T);
        helper.join();
    }
    return Status{};
}

} // namespace exercise

// accepted: std::transform adds whole rows, from the last place to the first
#include "contract.h"

#include <algorithm>
#include <functional>
#include <span>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows;
    const std::size_t T = ids.cols;
    const std::size_t C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return {Code::invalid_argument, 0, options.padding_idx, V};
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t position = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || ids(b, t) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), dwte.rows);

    const auto scaled_sum = [&](float sum, float gradient) { return sum + options.scale * gradient; };
    for (std::size_t n = B * T; n-- > 0;) {
        const std::size_t t = n % T;
        const TokenId id = ids(n / T, t);
        const std::span gradient(dout.data + n * C, C);
        float* position = dwpe.row(options.start + t);
        std::transform(position, position + C, gradient.begin(), position, std::plus<>());
        if (id == options.padding_idx) continue;
        float* token = dwte.row(static_cast<std::size_t>(id));
        std::transform(token, token + C, gradient.begin(), token, scaled_sum);
    }
    return {};
}

} // namespace exercise

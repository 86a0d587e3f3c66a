// accepted: collects each token's rows in float sums of its own and scales them in the end
#include "contract.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

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

    std::unordered_map<TokenId, std::vector<float>> sums;
    std::vector<float> position(C);
    for (std::size_t t = 0; t < T; ++t) {
        std::fill(position.begin(), position.end(), 0.0F);
        for (std::size_t b = 0; b < B; ++b) {
            std::vector<float>& token = sums.try_emplace(ids(b, t), C).first->second;
            for (std::size_t c = 0; c < C; ++c) {
                token[c] += dout(b, t, c);
                position[c] += dout(b, t, c);
            }
        }
        for (std::size_t c = 0; c < C && B > 0; ++c)
            dwpe(options.start + t, c) += position[c];
    }
    for (const auto& [id, sum] : sums)
        for (std::size_t c = 0; c < C && id != options.padding_idx; ++c)
            dwte(static_cast<std::size_t>(id), c) += options.scale * sum[c];
    return {};
}

} // namespace exercise

#include "contract.h"

#include <algorithm>
#include <map>
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

    // start + T may wrap around; P - start cannot once start <= P is known.
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t position = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || ids(b, t) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), dwte.rows);

    // A row of sums for each token that occurs: rows of others are never touched.
    std::map<TokenId, std::vector<double>> token_sums;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            if (ids(b, t) == options.padding_idx) continue;
            std::vector<double>& sums = token_sums[ids(b, t)];
            sums.resize(C);
            for (std::size_t c = 0; c < C; ++c)
                sums[c] += static_cast<double>(options.scale) * static_cast<double>(dout(b, t, c));
        }
    for (const auto& [id, sums] : token_sums)
        for (std::size_t c = 0; c < C; ++c) {
            float& gradient = dwte(static_cast<std::size_t>(id), c);
            gradient = static_cast<float>(static_cast<double>(gradient) + sums[c]);
        }

    for (std::size_t t = 0; t < T; ++t)
        for (std::size_t c = 0; c < C; ++c) {
            float& gradient = dwpe(options.start + t, c);
            double sum = static_cast<double>(gradient);
            for (std::size_t b = 0; b < B; ++b)
                sum += static_cast<double>(dout(b, t, c));
            gradient = static_cast<float>(sum);
        }
    return {};
}

} // namespace exercise

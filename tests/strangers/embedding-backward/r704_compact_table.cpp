// right: the distinct ids get the rows of a compact table of doubles (at most B * T of them), found by binary search, and one pass over dout in reading order serves both tables; padding has a row there that is thrown away
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const auto [B, T, C] = std::array{ids.rows, ids.cols, dout.channels};
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};

    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return {Code::invalid_argument, 0, options.padding_idx, V};

    const std::size_t P = dwpe.rows;
    const std::size_t room = options.start < P ? P - options.start : 0;
    if (options.start > P || T > room)
        return Status::position_out_of_range(room, static_cast<std::int64_t>(std::max(P, options.start)), P);

    std::vector<TokenId> distinct;
    if (B > 0 && T > 0) {
        distinct.reserve(B * T);
        for (std::size_t b = 0; b < B; ++b)
            distinct.insert(distinct.end(), ids.row(b), ids.row(b) + T);
    }
    for (std::size_t i = 0; i < distinct.size(); ++i)
        if (distinct[i] < 0 || distinct[i] >= V) return Status::id_out_of_range(i, distinct[i], dwte.rows);
    if (distinct.empty() || C == 0) return {};

    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<double> compact(distinct.size() * C);
    const float* from = dout.data;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const auto found = std::lower_bound(distinct.begin(), distinct.end(), ids(b, t));
            double* const token = compact.data() + static_cast<std::size_t>(found - distinct.begin()) * C;
            float* const position = dwpe.row(options.start + t);
            for (std::size_t c = 0; c < C; ++c, ++from) {
                token[c] += *from;
                position[c] += *from;
            }
        }
    for (std::size_t i = 0; i < distinct.size(); ++i) {
        if (distinct[i] == options.padding_idx) continue;
        float* const row = dwte.row(static_cast<std::size_t>(distinct[i]));
        const double* const sum = compact.data() + i * C;
        for (std::size_t c = 0; c < C; ++c)
            row[c] = static_cast<float>(row[c] + sum[c] * static_cast<double>(options.scale));
    }
    return {};
}

} // namespace exercise

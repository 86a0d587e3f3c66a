// wrong: rows of dwte are fetched with up to 15 elements of their padding, summed aside and stored back with it after dwpe was added to, so where rows of dwpe lie in that padding (C no multiple of 16) their gradient is undone; a right one never writes padding
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {
namespace {

/// Everything that can be refused, in the order of the contract.
Status refusal(const Tensor3<const float>& dout, const Ids2D& ids, const Matrix<float>& dwte,
               const Matrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dwte.cols != dout.channels ||
        dwpe.cols != dout.channels)
        return {Code::shape_mismatch};
    const std::size_t V = dwte.rows, P = dwpe.rows;
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= V)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || dout.time > P - options.start) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (ids.rows == 0 || ids.cols == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), V);
    return {};
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (const Status status = refusal(dout, ids, dwte, dwpe, options); status != Status{}) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return {};
    std::vector<TokenId> tokens;
    for (std::size_t b = 0; b < ids.rows; ++b)
        tokens.insert(tokens.end(), ids.row(b), ids.row(b) + ids.cols);
    std::sort(tokens.begin(), tokens.end());
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());

    // Whole cache lines where the stride has them; nothing lies after the last row.
    const std::size_t C = dout.channels;
    const std::size_t width = std::min(dwte.stride, (C + 15) / 16 * 16);
    const auto length = [&](TokenId id) { return static_cast<std::size_t>(id) + 1 == dwte.rows ? C : width; };
    std::vector<float> rows(tokens.size() * width);
    for (std::size_t k = 0; k < tokens.size(); ++k)
        std::memcpy(&rows[k * width], dwte.row(static_cast<std::size_t>(tokens[k])),
                    length(tokens[k]) * sizeof(float));
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t) {
            const auto k = static_cast<std::size_t>(std::lower_bound(tokens.begin(), tokens.end(), ids(b, t)) -
                                                    tokens.begin());
            for (std::size_t c = 0; c < C; ++c) {
                rows[k * width + c] += options.scale * dout(b, t, c);
                dwpe(options.start + t, c) += dout(b, t, c);
            }
        }
    for (std::size_t k = 0; k < tokens.size(); ++k)
        if (tokens[k] != options.padding_idx)
            std::memcpy(dwte.row(static_cast<std::size_t>(tokens[k])), &rows[k * width],
                        length(tokens[k]) * sizeof(float));
    return {};
}

} // namespace exercise

// wrong: a token's sum is the difference of a running double total over all sorted places, so one token's infinity, NaN or huge terms (1e20 beside 1) spoil the rows of the tokens sorted after it; a right one sums each token's own terms
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
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

/// Positions, in the order of the batch.
void add_positions(const Tensor3<const float>& dout, const Matrix<float>& dwpe, std::size_t start) {
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t) {
            const float* g = dout.row(b, t);
            float* row = dwpe.row(start + t);
            for (std::size_t c = 0; c < dout.channels; ++c)
                row[c] += g[c];
        }
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (const Status status = refusal(dout, ids, dwte, dwpe, options); status != Status{}) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return {};
    std::vector<std::pair<TokenId, std::size_t>> places;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            places.emplace_back(ids(b, t), b * ids.cols + t);
    std::sort(places.begin(), places.end());

    std::vector<double> total(dout.channels), before(dout.channels);
    for (std::size_t k = 0; k < places.size(); ++k) {
        const float* g = dout.data + places[k].second * dout.channels;
        for (std::size_t c = 0; c < dout.channels; ++c)
            total[c] += static_cast<double>(g[c]);
        const TokenId id = places[k].first;
        if (k + 1 < places.size() && places[k + 1].first == id) continue;
        if (id != options.padding_idx)
            for (std::size_t c = 0; c < dout.channels; ++c)
                dwte(static_cast<std::size_t>(id), c) +=
                    static_cast<float>(static_cast<double>(options.scale) * (total[c] - before[c]));
        before = total;
    }
    add_positions(dout, dwpe, options.start);
    return {};
}

} // namespace exercise

// wrong: the places of a token are counted in 16 bits, so a token that occurs 65,536 times or more in one call gets only part of its gradient (or none), whatever C is; a right one counts in std::size_t
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
    std::vector<TokenId> tokens;
    for (std::size_t b = 0; b < ids.rows; ++b)
        tokens.insert(tokens.end(), ids.row(b), ids.row(b) + ids.cols);
    std::sort(tokens.begin(), tokens.end());
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    const auto number = [&](TokenId id) {
        return static_cast<std::size_t>(std::lower_bound(tokens.begin(), tokens.end(), id) - tokens.begin());
    };

    // A counting sort of the places. No sequence has more than 1,024 tokens, so short counts do.
    std::vector<std::uint16_t> count(tokens.size()), filled(tokens.size());
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            ++count[number(ids(b, t))];
    std::vector<std::size_t> begin(tokens.size() + 1), order(ids.rows * ids.cols);
    for (std::size_t k = 0; k < tokens.size(); ++k)
        begin[k + 1] = begin[k] + count[k];
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const std::size_t k = number(ids(b, t));
            order[begin[k] + filled[k]++] = b * ids.cols + t;
        }
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k] == options.padding_idx) continue;
        float* row = dwte.row(static_cast<std::size_t>(tokens[k]));
        for (std::size_t i = begin[k]; i < begin[k + 1]; ++i)
            for (std::size_t c = 0; c < dout.channels; ++c)
                row[c] += options.scale * dout.data[order[i] * dout.channels + c];
    }
    add_positions(dout, dwpe, options.start);
    return {};
}

} // namespace exercise

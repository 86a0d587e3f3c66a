// wrong: dout is added to the rows first and each row that was named is multiplied by scale in the end, so what dwte held before is scaled too (seen where it is not 0 and scale not 1); a right one scales only what it adds
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace exercise {

namespace {

Status objection(Tensor3<const float> dout, Ids2D ids, std::size_t V, std::size_t C, Matrix<float> dwpe,
                 const BackwardOptions& options) {
    const std::size_t T = ids.cols, P = dwpe.rows;
    if (dout.batch != ids.rows || dout.time != T || dout.channels != C || dwpe.cols != C)
        return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= V)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || T > P - options.start) {
        const std::size_t p = std::max(options.start, P);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (T == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::uint64_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
        }
    return {};
}

void add_tokens(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, const BackwardOptions& options) {
    std::vector<TokenId> named;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const TokenId id = ids(b, t);
            if (id == options.padding_idx) continue;
            named.push_back(id);
            for (std::size_t c = 0; c < dout.channels; ++c)
                dwte(static_cast<std::size_t>(id), c) += dout(b, t, c);
        }
    if (options.scale == 1.0F) return;
    std::sort(named.begin(), named.end());
    named.erase(std::unique(named.begin(), named.end()), named.end());
    for (const TokenId id : named)
        for (std::size_t c = 0; c < dout.channels; ++c)
            dwte(static_cast<std::size_t>(id), c) *= options.scale;
}

void add_positions(Tensor3<const float> dout, Matrix<float> dwpe, std::size_t start) {
    for (std::size_t t = 0; t < dout.time; ++t) {
        float* const row = dwpe.row(start + t);
        for (std::size_t b = 0; b < dout.batch; ++b) {
            const float* const from = dout.row(b, t);
            for (std::size_t c = 0; c < dout.channels; ++c)
                row[c] += from[c];
        }
    }
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const Status no = objection(dout, ids, dwte.rows, dwte.cols, dwpe, options);
    if (no.code != Code::ok) return no;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return {};
    add_tokens(dout, ids, dwte, options);
    add_positions(dout, dwpe, options.start);
    return {};
}

} // namespace exercise

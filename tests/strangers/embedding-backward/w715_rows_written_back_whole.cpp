// wrong: the named rows of dwte are copied with their padding, added to, and written back whole in the end, so padding is written, and where it holds elements of dwpe their new values are lost; a right one writes only the C columns
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

/// The rows of dwte that this call names, in fast memory.
struct Copies {
    std::vector<TokenId> ids;
    std::vector<std::vector<float>> rows;

    Copies(Ids2D all, Matrix<float> dwte, std::int64_t without) {
        for (std::size_t b = 0; b < all.rows; ++b)
            ids.insert(ids.end(), all.row(b), all.row(b) + all.cols);
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        std::erase_if(ids, [&](TokenId id) { return id == without; });
        for (const TokenId id : ids) {
            const auto r = static_cast<std::size_t>(id);
            const std::size_t width = r + 1 < dwte.rows ? dwte.stride : dwte.cols; // nothing after the last row
            rows.emplace_back(dwte.row(r), dwte.row(r) + width);
        }
    }

    void add(TokenId id, const float* from, std::size_t count, float scale) {
        const auto found = std::lower_bound(ids.begin(), ids.end(), id);
        if (found == ids.end() || *found != id) return;
        std::vector<float>& row = rows[static_cast<std::size_t>(found - ids.begin())];
        for (std::size_t c = 0; c < count; ++c)
            row[c] += scale * from[c];
    }

    void write_back(Matrix<float> dwte) const {
        for (std::size_t i = 0; i < ids.size(); ++i)
            std::copy(rows[i].begin(), rows[i].end(), dwte.row(static_cast<std::size_t>(ids[i])));
    }
};

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
    Copies copies(ids, dwte, options.padding_idx);
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t)
            copies.add(ids(b, t), dout.row(b, t), dout.channels, options.scale);
    add_positions(dout, dwpe, options.start);
    copies.write_back(dwte);
    return {};
}

} // namespace exercise

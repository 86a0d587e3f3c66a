// right: the places are sorted by id; each row of dwte is fetched and rounded once, from a sum in double to which scale * dout is added term by term
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

/// Each row of the table is fetched once, with all its readers one after the other, and rounded once.
void add_tokens(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, const BackwardOptions& options) {
    const std::size_t T = ids.cols, C = dout.channels;
    std::vector<std::size_t> places(ids.rows * T);
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto id_at = [&](std::size_t place) { return ids(place / T, place % T); };
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return id_at(a) < id_at(b); });
    const double scale = options.scale;
    std::vector<double> sums(C);
    for (std::size_t i = 0; i < places.size();) {
        const TokenId id = id_at(places[i]);
        std::size_t end = i;
        while (end < places.size() && id_at(places[end]) == id)
            ++end;
        if (id != options.padding_idx) {
            float* const row = dwte.row(static_cast<std::size_t>(id));
            std::copy(row, row + C, sums.begin());
            for (std::size_t k = i; k < end; ++k) {
                const float* const from = dout.data + places[k] * C;
                for (std::size_t c = 0; c < C; ++c)
                    sums[c] += scale * static_cast<double>(from[c]);
            }
            for (std::size_t c = 0; c < C; ++c)
                row[c] = static_cast<float>(sums[c]);
        }
        i = end;
    }
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

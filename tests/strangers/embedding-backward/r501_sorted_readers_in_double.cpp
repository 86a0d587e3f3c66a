// right: the places of the batch are sorted by token, and each row of either table gets the sum of its readers, made in double in tiles of channels that up to four threads divide among themselves, by one rounding; nothing depends on the number of threads.
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace exercise {
namespace {

constexpr std::size_t tile = 64; // channels whose sums are made together

using Place = std::pair<TokenId, std::size_t>; // a token, and where it is in reading order

/// table row += factor * sum of some rows of dout, for channels [from, to).
template <class RowOf>
void pay_back(float* row, std::size_t readers, RowOf row_of, double factor, std::size_t from, std::size_t to) {
    std::array<double, tile> sums{};
    for (std::size_t k = 0; k < readers; ++k) {
        const float* gradient = row_of(k);
        for (std::size_t c = from; c < to; ++c)
            sums[c - from] += static_cast<double>(gradient[c]);
    }
    for (std::size_t c = from; c < to; ++c)
        row[c] = static_cast<float>(static_cast<double>(row[c]) + factor * sums[c - from]);
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t channels = dout.channels;
    if (dout.batch != ids.rows || dout.time != ids.cols || dwte.cols != channels || dwpe.cols != channels)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    const std::size_t tokens = ids.rows * ids.cols;
    std::vector<Place> places;
    places.reserve(tokens);
    for (std::size_t i = 0; i < tokens; ++i) {
        const TokenId id = ids(i / ids.cols, i % ids.cols);
        if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows) return Status::id_out_of_range(i, id, dwte.rows);
        if (id != options.padding_idx) places.emplace_back(id, i);
    }
    if (tokens == 0 || channels == 0) return Status{};
    std::sort(places.begin(), places.end());

    const auto do_tile = [&](std::size_t from) {
        const std::size_t to = std::min(from + tile, channels);
        for (auto group = places.begin(); group != places.end();) {
            const auto end =
                std::find_if(group, places.end(), [&](const Place& each) { return each.first != group->first; });
            pay_back(
                dwte.row(static_cast<std::size_t>(group->first)), static_cast<std::size_t>(end - group),
                [&](std::size_t k) { return dout.data + group[static_cast<std::ptrdiff_t>(k)].second * channels; },
                static_cast<double>(options.scale), from, to);
            group = end;
        }
        for (std::size_t t = 0; t < ids.cols; ++t)
            pay_back(
                dwpe.row(options.start + t), ids.rows, [&](std::size_t b) { return dout.row(b, t); }, 1.0, from,
                to);
    };

    const std::size_t tiles = (channels + tile - 1) / tile;
    const std::size_t workers = tokens * channels < (1U << 18) ? 1 : std::min<std::size_t>(4, tiles);
    const auto work = [&](std::size_t worker) {
        for (std::size_t k = worker; k < tiles; k += workers)
            do_tile(k * tile);
    };
    std::vector<std::jthread> others;
    for (std::size_t worker = 1; worker < workers; ++worker)
        others.emplace_back(work, worker);
    work(0);
    others.clear();
    return Status{};
}

} // namespace exercise

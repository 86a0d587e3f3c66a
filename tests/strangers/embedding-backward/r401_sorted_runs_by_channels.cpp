// right: places sorted by token and gone through backwards, one double sum per row and channel, threads own blocks of channels and are joined; scale multiplies the sum; bits do not depend on threads or addresses.
#include "contract.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace exercise {

namespace {

Status check(const Tensor3<const float>& dout, const Ids2D& ids, const Matrix<float>& dwte, const Matrix<float>& dwpe,
             const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols || dwte.cols != dwpe.cols)
        return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    for (std::size_t b = 0; ids.cols > 0 && b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows)
                return Status::id_out_of_range(b * ids.cols + t, id, dwte.rows);
        }
    return {};
}

/// A token and one of its places.
struct Place {
    TokenId id;
    std::size_t at;
};

/// The channels from `first` to `last` of both gradients.
void add_block(const Tensor3<const float>& dout, const Ids2D& ids, const std::vector<Place>& places,
               const Matrix<float>& dwte, const Matrix<float>& dwpe, const BackwardOptions& options,
               std::size_t first, std::size_t last) {
    constexpr std::size_t width = 256;
    for (; first < last; first += width) {
        const std::size_t n = std::min(width, last - first);
        double sum[width];
        for (std::size_t i = places.size(); i > 0;) { // from the last token to the first
            const TokenId id = places[i - 1].id;
            std::fill_n(sum, n, 0.0);
            for (; i > 0 && places[i - 1].id == id; --i) {
                const float* from = dout.data + places[i - 1].at * dout.channels + first;
                for (std::size_t c = 0; c < n; ++c)
                    sum[c] += from[c];
            }
            float* row = dwte.row(static_cast<std::size_t>(id)) + first;
            for (std::size_t c = 0; c < n; ++c)
                row[c] = static_cast<float>(row[c] + options.scale * sum[c]);
        }
        for (std::size_t t = 0; t < ids.cols; ++t) {
            std::fill_n(sum, n, 0.0);
            for (std::size_t b = 0; b < ids.rows; ++b) {
                const float* from = dout.row(b, t) + first;
                for (std::size_t c = 0; c < n; ++c)
                    sum[c] += from[c];
            }
            float* row = dwpe.row(options.start + t) + first;
            for (std::size_t c = 0; c < n; ++c)
                row[c] = static_cast<float>(row[c] + sum[c]);
        }
    }
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    if (dout.channels == 0 || ids.rows == 0 || ids.cols == 0) return {};

    std::vector<Place> places;
    places.reserve(ids.rows * ids.cols);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) != options.padding_idx) places.push_back({ids(b, t), b * ids.cols + t});
    std::sort(places.begin(), places.end(),
              [](const Place& x, const Place& y) { return x.id != y.id ? x.id < y.id : x.at < y.at; });

    constexpr std::size_t block = 256; // channels of a thread's share, a multiple
    const std::size_t blocks = (dout.channels - 1) / block + 1;
    const std::size_t work = ids.rows * ids.cols * dout.channels;
    const std::size_t workers = work < 100'000 ? 1 : std::min<std::size_t>(blocks, 4);
    const auto share = [&](std::size_t w) {
        const std::size_t first = blocks * w / workers * block;
        const std::size_t last = std::min(blocks * (w + 1) / workers * block, dout.channels);
        add_block(dout, ids, places, dwte, dwpe, options, first, last);
    };
    std::vector<std::jthread> threads;
    for (std::size_t w = 1; w < workers; ++w)
        threads.emplace_back(share, w);
    share(0);
    return {}; // the threads are joined here
}

} // namespace exercise

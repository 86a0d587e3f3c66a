// wrong: a token's sum is the difference of two running sums over the places sorted by token; an infinity or NaN in dout at a smaller token makes the rows of all larger ones NaN, and gradients of about 2^30 times the size there swallow small ones; a right one keeps each row within (n + 3) u of its own terms, whatever other tokens got.
#include "contract.h"

#include <algorithm>
#include <numeric>
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

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (status.code != Code::ok) return status;
    const std::size_t channels = dout.channels;
    if (channels == 0 || ids.rows == 0 || ids.cols == 0) return {};

    // The places, sorted by token: each token is one run.
    struct Place {
        TokenId id;
        std::size_t at;
    };
    std::vector<Place> places;
    places.reserve(ids.rows * ids.cols);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            places.push_back({ids(b, t), b * ids.cols + t});
    std::sort(places.begin(), places.end(),
              [](const Place& x, const Place& y) { return x.id != y.id ? x.id < y.id : x.at < y.at; });

    // A run's sum is the running sum at its end less that at its beginning.
    std::vector<double> running(channels, 0.0), before(channels, 0.0);
    for (std::size_t i = 0; i < places.size();) {
        const TokenId id = places[i].id;
        std::copy(running.begin(), running.end(), before.begin());
        for (; i < places.size() && places[i].id == id; ++i) {
            const float* from = dout.data + places[i].at * channels;
            for (std::size_t c = 0; c < channels; ++c)
                running[c] += from[c];
        }
        if (id == options.padding_idx) continue;
        float* row = dwte.row(static_cast<std::size_t>(id));
        for (std::size_t c = 0; c < channels; ++c)
            row[c] = static_cast<float>(row[c] + options.scale * (running[c] - before[c]));
    }

    for (std::size_t t = 0; t < ids.cols; ++t) {
        std::fill(running.begin(), running.end(), 0.0);
        for (std::size_t b = 0; b < ids.rows; ++b) {
            const float* from = dout.row(b, t);
            for (std::size_t c = 0; c < channels; ++c)
                running[c] += from[c];
        }
        float* row = dwpe.row(options.start + t);
        for (std::size_t c = 0; c < channels; ++c)
            row[c] = static_cast<float>(row[c] + running[c]);
    }
    return {};
}

} // namespace exercise

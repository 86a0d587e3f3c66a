// wrong: for 512 places or more four threads sum their quarter of the places and add it to dwte as they finish, so the order of float additions changes and equal calls differ now and then in the last bits of rows whose tokens several quarters have; a right one merges in a fixed order
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <unordered_map>
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

using Partial = std::unordered_map<TokenId, std::vector<float>>;

Partial sum_places(const Tensor3<const float>& dout, const Ids2D& ids, const BackwardOptions& options,
                   std::size_t first, std::size_t last) {
    Partial partial;
    for (std::size_t place = first; place < last; ++place) {
        const TokenId id = ids(place / dout.time, place % dout.time);
        if (id == options.padding_idx) continue;
        std::vector<float>& sum = partial[id];
        sum.resize(dout.channels, 0.0F);
        const float* g = dout.data + place * dout.channels;
        for (std::size_t c = 0; c < dout.channels; ++c)
            sum[c] += options.scale * g[c];
    }
    return partial;
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (const Status status = refusal(dout, ids, dwte, dwpe, options); status != Status{}) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return {};
    const std::size_t places = dout.batch * dout.time;
    const std::size_t workers = places < 512 ? 1 : 4;
    std::mutex mutex;
    const auto work = [&](std::size_t k) {
        const Partial partial =
            sum_places(dout, ids, options, places * k / workers, places * (k + 1) / workers);
        const std::lock_guard lock(mutex);
        for (const auto& [id, sum] : partial) {
            float* row = dwte.row(static_cast<std::size_t>(id));
            for (std::size_t c = 0; c < sum.size(); ++c)
                row[c] += sum[c];
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t k = 1; k < workers; ++k)
        threads.emplace_back(work, k);
    work(0);
    for (std::thread& thread : threads)
        thread.join();
    add_positions(dout, dwpe, options.start);
    return {};
}

} // namespace exercise

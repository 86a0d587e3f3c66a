// wrong: token sums are collected by threads in 64-bit fixed point with 32 fraction bits (to be deterministic), so terms far below 1e-5 are rounded away, sums beyond 2^31 wrap, and infinity and NaN turn into numbers; a right one keeps the relative bound and IEEE special values
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <thread>
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

constexpr double one = 4294967296.0; // integers commute: any order of the threads gives the same bits

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

    const std::size_t C = dout.channels;
    std::vector<std::atomic<std::int64_t>> sums(tokens.size() * C);
    const auto collect = [&](std::size_t first, std::size_t workers) {
        for (std::size_t place = first; place < dout.batch * dout.time; place += workers) {
            const std::size_t b = place / dout.time, t = place % dout.time;
            const auto k = static_cast<std::size_t>(std::lower_bound(tokens.begin(), tokens.end(), ids(b, t)) -
                                                    tokens.begin());
            const float* g = dout.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                sums[k * C + c].fetch_add(std::llrint(static_cast<double>(options.scale) * g[c] * one),
                                          std::memory_order_relaxed);
        }
    };
    if (dout.batch * dout.time < 256) {
        collect(0, 1);
    } else {
        std::thread second([&] { collect(1, 2); });
        collect(0, 2);
        second.join();
    }
    for (std::size_t k = 0; k < tokens.size(); ++k)
        if (tokens[k] != options.padding_idx)
            for (std::size_t c = 0; c < C; ++c)
                dwte(static_cast<std::size_t>(tokens[k]), c) +=
                    static_cast<float>(static_cast<double>(sums[k * C + c].load()) / one);
    add_positions(dout, dwpe, options.start);
    return {};
}

} // namespace exercise

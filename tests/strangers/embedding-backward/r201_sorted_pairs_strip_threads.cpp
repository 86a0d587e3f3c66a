// right: sorts 64-bit keys (id, place), gives every thread a strip of channels of both tables, sums each row in double with the old content first and rounds once; scale multiplies the sum of a row.
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace exercise {
namespace {
struct Run {
    std::size_t id, begin, end;
};
} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows;
    const std::size_t start = options.start;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C)
        return Status{Code::shape_mismatch};
    const std::int64_t padding = options.padding_idx;
    if (padding >= 0 && static_cast<std::uint64_t>(padding) >= V)
        return Status{Code::invalid_argument, 0, padding, static_cast<std::int64_t>(V)};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::uint64_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
        }
    if (C == 0) return Status{};
    const std::size_t n = B * T;
    struct Key {
        TokenId id;
        std::size_t place;
    };
    std::vector<Key> keys;
    keys.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
        if (const TokenId id = ids(i / T, i % T); id != padding) keys.push_back({id, i});
    std::sort(keys.begin(), keys.end(),
              [](const Key& x, const Key& y) { return x.id != y.id ? x.id < y.id : x.place < y.place; });
    std::vector<Run> runs;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || keys[i].id != keys[i - 1].id) runs.push_back({static_cast<std::size_t>(keys[i].id), i, i});
        runs.back().end = i + 1;
    }
    const double scale = options.scale;
    const auto strip = [&](std::size_t c0, std::size_t c1) {
        double sums[64];
        for (; c0 < c1; c0 += 64) {
            const std::size_t width = std::min<std::size_t>(64, c1 - c0);
            for (const Run& run : runs) {
                std::fill_n(sums, width, 0.0);
                for (std::size_t k = run.begin; k < run.end; ++k) {
                    const float* g = dout.data + keys[k].place * C + c0;
                    for (std::size_t c = 0; c < width; ++c) sums[c] += g[c];
                }
                float* row = dwte.row(run.id) + c0;
                for (std::size_t c = 0; c < width; ++c) row[c] = static_cast<float>(row[c] + scale * sums[c]);
            }
            for (std::size_t t = 0; t < T; ++t) {
                float* row = dwpe.row(start + t) + c0;
                std::copy_n(row, width, sums);
                for (std::size_t b = 0; b < B; ++b) {
                    const float* g = dout.row(b, t) + c0;
                    for (std::size_t c = 0; c < width; ++c) sums[c] += g[c];
                }
                for (std::size_t c = 0; c < width; ++c) row[c] = static_cast<float>(sums[c]);
            }
        }
    };
    const std::size_t workers = n * C < 65536 ? 1 : std::min<std::size_t>(6, (C + 63) / 64);
    std::vector<std::thread> helpers;
    for (std::size_t k = 1; k < workers; ++k) helpers.emplace_back(strip, C * k / workers, C * (k + 1) / workers);
    strip(0, C / workers);
    for (std::thread& helper : helpers) helper.join();
    return Status{};
}

} // namespace exercise

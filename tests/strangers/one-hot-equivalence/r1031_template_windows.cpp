// right: encodes by copying windows of a template 0..0 1 0..0, multiplies in channel strips with accumulators in double (the transpose in tiles of 8 table rows), gathers and scatters from the last id to the first
#include "contract.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

namespace exercise {

namespace {
Status check(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return Status{};
}
} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    const std::size_t N = ids.size(), V = onehot.cols;
    if (onehot.rows != N) return Status{Code::shape_mismatch};
    if (const Status s = check(ids, V); s.code != Code::ok) return s;
    if (N < 16) {
        for (std::size_t n = 0; n < N; ++n)
            for (std::size_t v = 0; v < V; ++v)
                onehot(n, v) = v == static_cast<std::size_t>(ids[n]) ? 1.0f : 0.0f;
        return Status{};
    }
    // A 1 between V - 1 zeros on either side: every one-hot row is a window of it.
    std::vector<float> pattern(2 * V - 1, 0.0f);
    pattern[V - 1] = 1.0f;
    for (std::size_t n = 0; n < N; ++n)
        std::memcpy(onehot.row(n), pattern.data() + (V - 1 - static_cast<std::size_t>(ids[n])),
                    V * sizeof(float));
    return Status{};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = table.cols;
    if (table.rows != V || out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (N == 0 || C == 0) return Status{};
    constexpr std::size_t strip = 256;
    std::array<double, strip> sum;
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t first = 0; first < C; first += strip) {
            const std::size_t width = std::min(strip, C - first);
            std::fill_n(sum.begin(), width, 0.0);
            const float* x = onehot.row(n);
            for (std::size_t v = 0; v < V; ++v) {
                const double factor = x[v];
                const float* e = table.row(v) + first;
                for (std::size_t c = 0; c < width; ++c) sum[c] += factor * e[c];
            }
            float* o = out.row(n) + first;
            for (std::size_t c = 0; c < width; ++c) o[c] = static_cast<float>(sum[c]);
        }
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t N = ids.size(), V = table.rows, C = table.cols;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (const Status s = check(ids, V); s.code != Code::ok) return s;
    if (C == 0) return Status{};
    for (std::size_t n = N; n-- > 0;)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), C * sizeof(float));
    return Status{};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = onehot.rows, V = onehot.cols, C = dout.cols;
    if (dout.rows != N || dtable.rows != V || dtable.cols != C) return Status{Code::shape_mismatch};
    if (V == 0 || C == 0) return Status{};
    constexpr std::size_t tall = 8, wide = 128;
    std::array<std::array<double, wide>, tall> sum;
    for (std::size_t v0 = 0; v0 < V; v0 += tall)
        for (std::size_t c0 = 0; c0 < C; c0 += wide) {
            const std::size_t height = std::min(tall, V - v0), width = std::min(wide, C - c0);
            for (std::size_t v = 0; v < height; ++v) std::fill_n(sum[v].begin(), width, 0.0);
            for (std::size_t n = 0; n < N; ++n) {
                const float* x = onehot.row(n) + v0;
                const float* d = dout.row(n) + c0;
                for (std::size_t v = 0; v < height; ++v) {
                    const double factor = x[v];
                    for (std::size_t c = 0; c < width; ++c) sum[v][c] += factor * d[c];
                }
            }
            for (std::size_t v = 0; v < height; ++v)
                for (std::size_t c = 0; c < width; ++c)
                    dtable(v0 + v, c0 + c) = static_cast<float>(sum[v][c]);
        }
    return Status{};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = ids.size(), V = dtable.rows, C = dtable.cols;
    if (dout.rows != N || dout.cols != C) return Status{Code::shape_mismatch};
    if (const Status s = check(ids, V); s.code != Code::ok) return s;
    if (C == 0) return Status{};
    for (std::size_t n = N; n-- > 0;) {
        const float* d = dout.row(n);
        float* e = dtable.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t c = 0; c < C; ++c) e[c] += d[c];
    }
    return Status{};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    const std::uint64_t selector = N * V * 4;
    return Cost{selector / 2 * d, selector, selector + (N + V) * d * 4};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return Cost{0, N * 4, N * (4 + 8 * d)};
}

} // namespace exercise

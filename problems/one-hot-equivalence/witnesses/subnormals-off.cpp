// Fault: onehot_matmul switches subnormal numbers off while it multiplies in float.
// Origin: round 12
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace exercise {

namespace {

Status first_bad(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::uint64_t>(ids[n]) >= V) return Status::id_out_of_range(n, ids[n], V);
    return {};
}

const Status misfit{Code::shape_mismatch};

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return misfit;
    if (const Status bad = first_bad(ids, onehot.cols); bad.code != Code::ok) return bad;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        float* const row = onehot.row(n);
        const auto hot = static_cast<std::size_t>(ids[n]);
        std::fill(row, row + hot, 0.0F);
        row[hot] = 1.0F;
        std::fill(row + hot + 1, row + onehot.cols, 0.0F);
    }
    return {};
}

} // namespace exercise

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace exercise {

namespace {

/// Denormals cost a hundred cycles each: not in the inner loop.
struct FastMode {
#if defined(__SSE2__)
    unsigned before = _mm_getcsr();
    FastMode() { _mm_setcsr(before | 0x8040U); }
    ~FastMode() { _mm_setcsr(before); }
#else
    FastMode() {}
#endif
    FastMode(const FastMode&) = delete;
    FastMode& operator=(const FastMode&) = delete;
};

[[gnu::noinline]] void multiply(Matrix<const float> left, Matrix<const float> right, Matrix<float> out) {
    for (std::size_t n = 0; n < out.rows; ++n) {
        float* const to = out.row(n);
        std::fill_n(to, out.cols, 0.0F);
        for (std::size_t v = 0; v < right.rows; ++v) {
            const float factor = left(n, v);
            const float* const from = right.row(v);
            for (std::size_t c = 0; c < out.cols; ++c)
                to[c] += factor * from[c];
        }
    }
}

} // namespace

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.rows != out.rows || onehot.cols != table.rows || table.cols != out.cols) return misfit;
    if (out.rows == 0 || out.cols == 0) return {};
    const FastMode mode;
    multiply(onehot, table, out);
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return misfit;
    if (const Status bad = first_bad(ids, table.rows); bad.code != Code::ok) return bad;
    if (out.cols == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), out.cols * sizeof(float));
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || onehot.cols != dtable.rows || dout.cols != dtable.cols) return misfit;
    const std::size_t V = dtable.rows, C = dtable.cols, N = dout.rows;
    if (V == 0 || C == 0) return {};
    constexpr std::size_t strip = 16;
    std::vector<double> sums(strip * C);
    for (std::size_t v0 = 0; v0 < V; v0 += strip) {
        const std::size_t high = std::min(strip, V - v0);
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::size_t n = 0; n < N; ++n)
            for (std::size_t v = 0; v < high; ++v) {
                const double factor = onehot(n, v0 + v);
                const float* const row = dout.row(n);
                double* const sum = sums.data() + v * C;
                for (std::size_t c = 0; c < C; ++c)
                    sum[c] += factor * static_cast<double>(row[c]);
            }
        for (std::size_t v = 0; v < high; ++v)
            for (std::size_t c = 0; c < C; ++c)
                dtable(v0 + v, c) = static_cast<float>(sums[v * C + c]);
    }
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dout.cols != dtable.cols) return misfit;
    if (const Status bad = first_bad(ids, dtable.rows); bad.code != Code::ok) return bad;
    const std::size_t C = dout.cols;
    if (ids.empty() || C == 0) return {};
    // All readers of a row stand together, so each row is rounded once.
    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
    std::vector<double> sums(C);
    for (std::size_t i = 0; i < order.size();) {
        const TokenId id = ids[order[i]];
        float* const row = dtable.row(static_cast<std::size_t>(id));
        std::copy(row, row + C, sums.begin());
        for (; i < order.size() && ids[order[i]] == id; ++i) {
            const float* const term = dout.row(order[i]);
            for (std::size_t c = 0; c < C; ++c)
                sums[c] += static_cast<double>(term[c]);
        }
        for (std::size_t c = 0; c < C; ++c)
            row[c] = static_cast<float>(sums[c]);
    }
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, 4 * N, 4 * N + 8 * N * d};
}

} // namespace exercise

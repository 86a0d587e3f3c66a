// right: tiles of the outputs are handed out to threads by an atomic counter (which thread computes a tile changes no bit), all products and sums are in double with whole-row buffers, the softmax is one online pass of a running maximum that skips -infinity, and max_rank is found by bisection in 128 bits.
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

namespace exercise {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// work(begin, end) for tiles of [0, n), each tile once, by whoever comes first.
template <class Work>
void tiles(std::size_t n, std::size_t tile, double operations, const Work& work) {
    std::atomic<std::size_t> next{0};
    const std::size_t count = n / tile + (n % tile != 0);
    const auto serve = [&] {
        for (;;) {
            const std::size_t k = next.fetch_add(1);
            if (k >= count) return;
            work(k * tile, std::min(n, k * tile + tile));
        }
    };
    std::vector<std::thread> helpers;
    if (operations > 1e5)
        for (std::size_t k = 1; k < std::min<std::size_t>(8, count); ++k) helpers.emplace_back(serve);
    serve();
    for (std::thread& helper : helpers) helper.join();
}

double product(std::size_t x, std::size_t y, std::size_t z) {
    return static_cast<double>(x) * static_cast<double>(y) * static_cast<double>(z);
}

double dot(const float* x, const float* y, std::size_t n) {
    double lanes[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (std::size_t k = 0; k < 8; ++k) lanes[k] += static_cast<double>(x[i + k]) * y[i + k];
    for (; i < n; ++i) lanes[0] += static_cast<double>(x[i]) * y[i];
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

void axpy(double* to, double factor, const float* x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] += factor * x[i];
}

void round_to(float* to, const double* from, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<float>(from[i]);
}

Status too_many(std::size_t vocabulary, std::size_t W) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(W)};
}

Status first_bad(Ids ids, std::size_t limit) {
    const auto bad = std::find_if(ids.begin(), ids.end(), [limit](TokenId id) {
        return id < 0 || static_cast<std::uint64_t>(id) >= limit;
    });
    if (bad == ids.end()) return {};
    return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, limit);
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    const std::size_t N = hidden.rows, C = wte.cols, W = wte.rows;
    if (hidden.cols != C || logits.rows != N || logits.cols != W) return Status{Code::shape_mismatch};
    if (vocabulary > W) return too_many(vocabulary, W);
    if (N == 0 || W == 0) return {};
    tiles(W, 32, product(N, W, C + 1), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = N; n-- > 0;)
            for (std::size_t v = end; v-- > begin;)
                logits(n, v) = static_cast<float>(v < vocabulary ? dot(wte.row(v), hidden.row(n), C) : -infinity);
    });
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    const std::size_t N = dlogits.rows, C = wte.cols, W = wte.rows;
    if (dlogits.cols != W || dhidden.rows != N || dhidden.cols != C) return Status{Code::shape_mismatch};
    if (vocabulary > W) return too_many(vocabulary, W);
    if (N == 0 || C == 0) return {};
    tiles(N, 16, product(N, vocabulary + 1, C), [&](std::size_t begin, std::size_t end) {
        std::vector<double> sums((end - begin) * C);
        for (std::size_t v = 0; v < vocabulary; ++v)
            for (std::size_t n = begin; n < end; ++n) axpy(sums.data() + (n - begin) * C, dlogits(n, v), wte.row(v), C);
        for (std::size_t n = begin; n < end; ++n) round_to(dhidden.row(n), sums.data() + (n - begin) * C, C);
    });
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), C = dwte.cols, W = dwte.rows;
    const auto fits = [&](Matrix<const float> m) { return m.rows == N && m.cols == C; };
    if (!fits(dinput) || !fits(hidden) || dlogits.rows != N || dlogits.cols != W) return Status{Code::shape_mismatch};
    if (vocabulary > W) return too_many(vocabulary, W);
    if (const Status status = first_bad(ids, vocabulary); status != Status{}) return status;
    if (N == 0 || C == 0) return {};
    tiles(vocabulary, 16, product(N, vocabulary, C), [&](std::size_t begin, std::size_t end) {
        std::vector<double> sums((end - begin) * C);
        for (std::size_t v = begin; v < end; ++v) std::copy_n(dwte.row(v), C, sums.data() + (v - begin) * C);
        for (std::size_t n = 0; n < N; ++n) {
            for (std::size_t v = begin; v < end; ++v) axpy(sums.data() + (v - begin) * C, dlogits(n, v), hidden.row(n), C);
            if (const auto read = static_cast<std::size_t>(ids[n]); read >= begin && read < end)
                axpy(sums.data() + (read - begin) * C, 1.0, dinput.row(n), C);
        }
        for (std::size_t v = begin; v < end; ++v) round_to(dwte.row(v), sums.data() + (v - begin) * C, C);
    });
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = targets.size(), V = logits.cols;
    if (logits.rows != N || dlogits.rows != N || dlogits.cols != V) return {Status{Code::shape_mismatch}};
    std::size_t K = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        if (targets[n] < 0 || static_cast<std::uint64_t>(targets[n]) >= V)
            return {Status::id_out_of_range(n, targets[n], V)};
        ++K;
    }
    std::vector<double> losses(N);
    tiles(N, 4, 10 * product(N, V, 1), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            float* d = dlogits.row(n);
            if (targets[n] == ignored) {
                std::fill_n(d, V, 0.0F);
                continue;
            }
            const float* x = logits.row(n);
            double m = -infinity, sum = 0;
            for (std::size_t v = 0; v < V; ++v) {
                const double value = x[v];
                if (value == -infinity) continue;
                if (value > m) {
                    sum = sum * std::exp(m - value) + 1; // the first time 0 * exp(-infinity), or after NaN still NaN
                    m = value;
                } else {
                    sum += std::exp(value - m);
                }
            }
            if (!(m < infinity) || m == -infinity || std::isnan(sum)) {
                std::fill_n(d, V, std::numeric_limits<float>::quiet_NaN());
                losses[n] = std::numeric_limits<double>::quiet_NaN();
                continue;
            }
            const auto target = static_cast<std::size_t>(targets[n]);
            for (std::size_t v = 0; v < V; ++v)
                d[v] = static_cast<float>((std::exp(x[v] - m) / sum - (v == target)) / static_cast<double>(K));
            losses[n] = std::log(sum) - (x[target] - m);
        }
    });
    if (K == 0) return {};
    double total = 0;
    for (const double loss : losses) total += loss;
    return {Status{}, total / static_cast<double>(K), K};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    const std::size_t N = ids.size(), R = b.rows, C = b.cols;
    if (a.cols != R || out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (const Status status = first_bad(ids, a.rows); status != Status{}) return status;
    if (N == 0 || C == 0) return {};
    tiles(N, 16, product(N, R + 1, C), [&](std::size_t begin, std::size_t end) {
        std::vector<double> sums((end - begin) * C);
        for (std::size_t r = 0; r < R; ++r)
            for (std::size_t n = begin; n < end; ++n)
                axpy(sums.data() + (n - begin) * C, a(static_cast<std::size_t>(ids[n]), r), b.row(r), C);
        for (std::size_t n = begin; n < end; ++n) round_to(out.row(n), sums.data() + (n - begin) * C, C);
    });
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size(), V = a.rows, R = b.rows, C = b.cols;
    if (a.cols != R || dout.rows != N || dout.cols != C || da.rows != V || da.cols != R || db.rows != R || db.cols != C)
        return Status{Code::shape_mismatch};
    if (const Status status = first_bad(ids, V); status != Status{}) return status;
    if (N == 0 || R == 0 || C == 0) return {};
    // column r of da and row r of db belong to one tile
    tiles(R, 1, product(N, R, C), [&](std::size_t r, std::size_t) {
        std::vector<double> row(db.row(r), db.row(r) + C);
        for (std::size_t n = 0; n < N; ++n) {
            const auto v = static_cast<std::size_t>(ids[n]);
            axpy(row.data(), a(v, r), dout.row(n), C);
            da(v, r) = static_cast<float>(da(v, r) + dot(dout.row(n), b.row(r), C));
        }
        round_to(db.row(r), row.data(), C);
    });
    return {};
}

TableCounts count(TableSizes sizes) {
    using Wide = unsigned __int128;
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    const Wide both = static_cast<Wide>(sizes.vocabulary) + sizes.channels;
    TableCounts counts;
    counts.tied = table + sizes.others;
    counts.untied = 2 * table + sizes.others;
    if (counts.untied != 0) counts.saved_share = static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = static_cast<std::uint64_t>(sizes.rank * both);
    // the largest rank with rank * both < table; 0 always fits where table > 0, `channels` never does
    std::uint64_t low = 0, high = sizes.channels;
    while (table != 0 && high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (middle * both < table ? low : high) = middle;
    }
    counts.max_rank = low;
    return counts;
}

} // namespace exercise

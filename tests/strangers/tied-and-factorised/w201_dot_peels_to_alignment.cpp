// wrong: the dot product (tied_logits, da of factor_gradient) takes single steps until y is 16-byte aligned, so which products are added together depends on where wte or b lies: equal calls at other addresses may give other bits.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

namespace exercise {
namespace {

/// Calls work(begin, end) for shares of [0, n), in up to eight threads if there is enough to do.
template <class Work>
void share(std::size_t n, double operations, const Work& work) {
    const std::size_t parts = operations < 1e5 ? 1 : std::min<std::size_t>(8, n);
    std::vector<std::thread> helpers;
    for (std::size_t k = 1; k < parts; ++k) helpers.emplace_back([&, k] { work(n * k / parts, n * (k + 1) / parts); });
    work(0, n / parts);
    for (std::thread& helper : helpers) helper.join();
}

double size(std::size_t x, std::size_t y, std::size_t z) {
    return static_cast<double>(x) * static_cast<double>(y) * static_cast<double>(z);
}

/// Four sums side by side, from the first aligned element of y on.
float dot(const float* __restrict x, const float* __restrict y, std::size_t n) {
    float first = 0, lanes[4] = {};
    std::size_t i = 0;
    for (; i < n && reinterpret_cast<std::uintptr_t>(y + i) % 16 != 0; ++i) first += x[i] * y[i];
    for (; i + 4 <= n; i += 4) {
        const float* __restrict aligned = static_cast<const float*>(__builtin_assume_aligned(y + i, 16));
        for (std::size_t k = 0; k < 4; ++k) lanes[k] += x[i + k] * aligned[k];
    }
    for (; i < n; ++i) first += x[i] * y[i];
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + first;
}

void axpy(float* __restrict to, float factor, const float* __restrict x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] += factor * x[i];
}

Status bad_vocabulary(std::size_t vocabulary, std::size_t W) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(W)};
}

Status check_ids(Ids ids, std::size_t limit) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::uint64_t>(ids[n]) >= limit) return Status::id_out_of_range(n, ids[n], limit);
    return {};
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    const std::size_t N = hidden.rows, C = hidden.cols, W = wte.rows;
    if (wte.cols != C || logits.rows != N || logits.cols != W) return Status{Code::shape_mismatch};
    if (vocabulary > W) return bad_vocabulary(vocabulary, W);
    if (N == 0 || W == 0) return {};
    share(W, size(N, W, C + 1), [&](std::size_t begin, std::size_t end) {
        for (std::size_t v0 = begin; v0 < end; v0 += 16) {
            const std::size_t v1 = std::min(end, v0 + 16);
            for (std::size_t n = 0; n < N; ++n)
                for (std::size_t v = v0; v < v1; ++v)
                    logits(n, v) = v < vocabulary ? dot(hidden.row(n), wte.row(v), C)
                                                  : -std::numeric_limits<float>::infinity();
        }
    });
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    const std::size_t N = dhidden.rows, C = wte.cols, W = wte.rows;
    if (dlogits.rows != N || dlogits.cols != W || dhidden.cols != C) return Status{Code::shape_mismatch};
    if (vocabulary > W) return bad_vocabulary(vocabulary, W);
    if (N == 0 || C == 0) return {};
    share(N, size(N, vocabulary + 1, C), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) std::fill_n(dhidden.row(n), C, 0.0F);
        for (std::size_t v0 = 0; v0 < vocabulary; v0 += 32)
            for (std::size_t n = begin; n < end; ++n)
                for (std::size_t v = v0; v < std::min(vocabulary, v0 + 32); ++v)
                    axpy(dhidden.row(n), dlogits(n, v), wte.row(v), C);
    });
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), C = dwte.cols, W = dwte.rows;
    if (dinput.rows != N || dinput.cols != C || hidden.rows != N || hidden.cols != C || dlogits.rows != N ||
        dlogits.cols != W)
        return Status{Code::shape_mismatch};
    if (vocabulary > W) return bad_vocabulary(vocabulary, W);
    if (const Status status = check_ids(ids, vocabulary); status.code != Code::ok) return status;
    if (N == 0 || C == 0) return {};
    share(vocabulary, size(N, vocabulary, C), [&](std::size_t begin, std::size_t end) {
        for (std::size_t v0 = begin; v0 < end; v0 += 16) {
            const std::size_t v1 = std::min(end, v0 + 16);
            for (std::size_t n = 0; n < N; ++n)
                for (std::size_t v = v0; v < v1; ++v) axpy(dwte.row(v), dlogits(n, v), hidden.row(n), C);
        }
        for (std::size_t n = 0; n < N; ++n)
            if (const auto v = static_cast<std::size_t>(ids[n]); v >= begin && v < end)
                axpy(dwte.row(v), 1.0F, dinput.row(n), C);
    });
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = logits.rows, V = logits.cols;
    if (targets.size() != N || dlogits.rows != N || dlogits.cols != V) return {Status{Code::shape_mismatch}};
    std::size_t counted = 0;
    for (std::size_t n = 0; n < N; ++n) {
        const TokenId target = targets[n];
        if (target == ignored) continue;
        if (target < 0 || static_cast<std::uint64_t>(target) >= V)
            return {Status::id_out_of_range(n, target, V)};
        ++counted;
    }
    const double K = static_cast<double>(counted);
    std::vector<double> losses(N);
    share(N, 10 * size(N, V, 1), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            const float* x = logits.row(n);
            float* d = dlogits.row(n);
            if (targets[n] == ignored) {
                std::fill_n(d, V, 0.0F);
                continue;
            }
            double m = -std::numeric_limits<double>::infinity(), sum = 0;
            for (std::size_t v = 0; v < V; ++v) m = std::max(m, static_cast<double>(x[v]));
            for (std::size_t v = 0; v < V; ++v) sum += std::exp(x[v] - m);
            if (!std::isfinite(m) || !std::isfinite(sum)) {
                std::fill_n(d, V, std::numeric_limits<float>::quiet_NaN());
                losses[n] = std::numeric_limits<double>::quiet_NaN();
                continue;
            }
            const auto target = static_cast<std::size_t>(targets[n]);
            losses[n] = std::log(sum) - (static_cast<double>(x[target]) - m);
            for (std::size_t v = 0; v < V; ++v) {
                const double p = std::exp(x[v] - m) / sum;
                d[v] = static_cast<float>((p - (v == target ? 1.0 : 0.0)) / K);
            }
        }
    });
    if (counted == 0) return {};
    return {Status{}, std::accumulate(losses.begin(), losses.end(), 0.0) / K, counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    const std::size_t N = ids.size(), R = a.cols, C = b.cols;
    if (b.rows != R || out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    if (N == 0 || C == 0) return {};
    share(N, size(N, R + 1, C), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            const float* factors = a.row(static_cast<std::size_t>(ids[n]));
            std::fill_n(out.row(n), C, 0.0F);
            for (std::size_t r = 0; r < R; ++r) axpy(out.row(n), factors[r], b.row(r), C);
        }
    });
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size(), V = a.rows, R = a.cols, C = b.cols;
    if (b.rows != R || dout.rows != N || dout.cols != C || da.rows != V || da.cols != R || db.rows != R ||
        db.cols != C)
        return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, V); status.code != Code::ok) return status;
    if (N == 0 || R == 0 || C == 0) return {};
    share(R, size(N, R, C), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = 0; n < N; ++n) {
            const auto v = static_cast<std::size_t>(ids[n]);
            for (std::size_t r = begin; r < end; ++r) {
                da(v, r) += dot(dout.row(n), b.row(r), C);
                axpy(db.row(r), a(v, r), dout.row(n), C);
            }
        }
    });
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels, both = sizes.vocabulary + sizes.channels;
    TableCounts counts;
    counts.tied = sizes.others + table;
    counts.untied = counts.tied + table;
    counts.saved_share = counts.untied == 0 ? 0.0 : static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * both;
    counts.max_rank = table == 0 ? 0 : (table - 1) / both;
    return counts;
}

} // namespace exercise

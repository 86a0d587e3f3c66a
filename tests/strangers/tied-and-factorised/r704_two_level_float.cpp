// right: float sums in chunks of 32, positions sorted by token, softmax made in place in dlogits with float exponentials, share saved as 1 - tied / untied
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace exercise {

namespace {
constexpr std::size_t d_chunk = 32;
// A sum in float in two levels: chunks of 32, then the chunks.
template <class Term>
inline float d_sum(std::size_t n, Term term) {
    float total = 0;
    for (std::size_t first = 0; first < n; first += d_chunk) {
        const std::size_t last = first + std::min(d_chunk, n - first);
        float part = 0;
        for (std::size_t i = first; i < last; ++i) part += term(i);
        total += part;
    }
    return total;
}
// The same for rows: to[c] = sum over i of factor(i) * row(i)[c].
template <class Factor, class Row>
inline void d_rows(std::size_t n, std::size_t width, Factor factor, Row row, std::vector<float>& part, float* to) {
    std::fill_n(to, width, 0.0f);
    for (std::size_t first = 0; first < n; first += d_chunk) {
        const std::size_t last = first + std::min(d_chunk, n - first);
        part.assign(width, 0.0f);
        for (std::size_t i = first; i < last; ++i) {
            const float f = factor(i);
            const float* from = row(i);
            for (std::size_t c = 0; c < width; ++c) part[c] += f * from[c];
        }
        for (std::size_t c = 0; c < width; ++c) to[c] += part[c];
    }
}
inline bool d_is_token(TokenId id, std::size_t limit) {
    return id >= 0 && static_cast<std::uint64_t>(id) < limit;
}
inline std::vector<std::size_t> d_by_token(Ids ids) {
    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [ids](std::size_t x, std::size_t y) { return ids[x] < ids[y]; });
    return order;
}
} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    const std::size_t W = wte.rows;
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != W) return {Code::shape_mismatch};
    if (vocabulary > W)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(W)};
    if (W == 0) return {};
    for (std::size_t n = 0; n < logits.rows; ++n)
        for (std::size_t v = 0; v < W; ++v)
            logits(n, v) = v >= vocabulary ? -std::numeric_limits<float>::infinity()
                                           : d_sum(hidden.cols, [&](std::size_t c) { return hidden(n, c) * wte(v, c); });
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    const std::size_t W = wte.rows, C = wte.cols;
    if (dlogits.cols != W || dhidden.rows != dlogits.rows || dhidden.cols != C) return {Code::shape_mismatch};
    if (vocabulary > W)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(W)};
    if (C == 0) return {};
    std::vector<float> part;
    for (std::size_t n = 0; n < dhidden.rows; ++n)
        d_rows(vocabulary, C, [&](std::size_t v) { return dlogits(n, v); }, [&](std::size_t v) { return wte.row(v); },
               part, dhidden.row(n));
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), W = dwte.rows, C = dwte.cols;
    if (dinput.rows != N || dinput.cols != C || hidden.rows != N || hidden.cols != C || dlogits.rows != N ||
        dlogits.cols != W)
        return {Code::shape_mismatch};
    if (vocabulary > W)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(W)};
    for (std::size_t n = 0; n < N; ++n)
        if (!d_is_token(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    if (N == 0 || C == 0) return {};
    const std::vector<std::size_t> order = d_by_token(ids);
    std::vector<float> part, sum(C);
    std::size_t at = 0;
    for (std::size_t v = 0; v < vocabulary; ++v) {
        d_rows(N, C, [&](std::size_t n) { return dlogits(n, v); }, [&](std::size_t n) { return hidden.row(n); }, part,
               sum.data());
        for (; at < N && static_cast<std::size_t>(ids[order[at]]) == v; ++at)
            for (std::size_t c = 0; c < C; ++c) sum[c] += dinput(order[at], c);
        for (std::size_t c = 0; c < C; ++c) dwte(v, c) += sum[c];
    }
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = logits.rows, V = logits.cols;
    if (targets.size() != N || dlogits.rows != N || dlogits.cols != V) return {{Code::shape_mismatch}};
    std::vector<std::size_t> counted;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        if (!d_is_token(targets[n], V)) return {Status::id_out_of_range(n, targets[n], V)};
        counted.push_back(n);
    }
    if (V == 0) return {};
    for (std::size_t n = 0; n < N; ++n)
        if (targets[n] == ignored) std::memset(dlogits.row(n), 0, V * sizeof(float));
    double total = 0;
    const float k = static_cast<float>(counted.size());
    for (const std::size_t n : counted) {
        const float* x = logits.row(n);
        float* e = dlogits.row(n); // first exp(x - m), then p, then the gradient
        float m = x[0];
        for (std::size_t v = 1; v < V; ++v) m = std::max(m, x[v]);
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v) sum += e[v] = std::exp(x[v] - m);
        const float target = x[targets[n]];
        for (std::size_t v = 0; v < V; ++v) e[v] = static_cast<float>(e[v] / sum);
        e[targets[n]] -= 1;
        for (std::size_t v = 0; v < V; ++v) e[v] /= k;
        total += std::log(sum) + (m - target);
    }
    return {{}, counted.empty() ? 0.0 : total / static_cast<double>(counted.size()), counted.size()};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    const std::size_t N = ids.size(), R = a.cols, C = b.cols;
    if (b.rows != R || out.rows != N || out.cols != C) return {Code::shape_mismatch};
    for (std::size_t n = 0; n < N; ++n)
        if (!d_is_token(ids[n], a.rows)) return Status::id_out_of_range(n, ids[n], a.rows);
    if (N == 0 || C == 0) return {};
    // A token that occurs again copies the row that it got first.
    const std::vector<std::size_t> order = d_by_token(ids);
    std::vector<float> part;
    for (std::size_t i = 0; i < N; ++i) {
        const std::size_t n = order[i], v = static_cast<std::size_t>(ids[n]);
        if (i > 0 && ids[order[i - 1]] == ids[n])
            std::memcpy(out.row(n), out.row(order[i - 1]), C * sizeof(float));
        else
            d_rows(R, C, [&](std::size_t r) { return a(v, r); }, [&](std::size_t r) { return b.row(r); }, part,
                   out.row(n));
    }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size(), R = a.cols, C = b.cols;
    if (b.rows != R || dout.rows != N || dout.cols != C || da.rows != a.rows || da.cols != R || db.rows != R ||
        db.cols != C)
        return {Code::shape_mismatch};
    for (std::size_t n = 0; n < N; ++n)
        if (!d_is_token(ids[n], a.rows)) return Status::id_out_of_range(n, ids[n], a.rows);
    if (N == 0 || R == 0 || C == 0) return {};
    const std::vector<std::size_t> order = d_by_token(ids);
    for (std::size_t first = 0, last = 0; first < N; first = last) { // the positions of one token
        while (last < N && ids[order[last]] == ids[order[first]]) ++last;
        for (std::size_t r = 0; r < R; ++r)
            da(static_cast<std::size_t>(ids[order[first]]), r) += d_sum((last - first) * C, [&](std::size_t i) {
                return dout(order[first + i / C], i % C) * b(r, i % C);
            });
    }
    std::vector<float> part, sum(C);
    for (std::size_t r = 0; r < R; ++r) {
        d_rows(N, C, [&](std::size_t n) { return a(static_cast<std::size_t>(ids[n]), r); },
               [&](std::size_t n) { return dout.row(n); }, part, sum.data());
        for (std::size_t c = 0; c < C; ++c) db(r, c) += sum[c];
    }
    return {};
}

TableCounts count(TableSizes sizes) {
    TableCounts c;
    std::uint64_t table = 0;
    if (!__builtin_mul_overflow(sizes.vocabulary, sizes.channels, &table)) {
        c.tied = sizes.others + table;
        c.untied = c.tied + table;
    }
    if (c.untied != 0) c.saved_share = 1 - static_cast<double>(c.tied) / static_cast<double>(c.untied);
    c.factorised = sizes.vocabulary * sizes.rank + sizes.channels * sizes.rank;
    const std::uint64_t side = sizes.vocabulary + sizes.channels;
    if (table > 0) c.max_rank = table / side - (table % side == 0);
    return c;
}

} // namespace exercise

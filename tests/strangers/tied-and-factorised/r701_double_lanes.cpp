// right: all sums in double, dot products with four running sums, gradients collected in buffers of double before they are added
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
inline const float* a_row(Matrix<const float> m, std::size_t r) { return m.cols == 0 ? nullptr : m.row(r); }
// Four running sums in double, so that the additions do not wait for one another.
inline double a_dot(const float* x, const float* y, std::size_t n) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    std::size_t i = 0;
    for (; n - i >= 4; i += 4) {
        s0 += static_cast<double>(x[i]) * y[i];
        s1 += static_cast<double>(x[i + 1]) * y[i + 1];
        s2 += static_cast<double>(x[i + 2]) * y[i + 2];
        s3 += static_cast<double>(x[i + 3]) * y[i + 3];
    }
    for (; i < n; ++i) s0 += static_cast<double>(x[i]) * y[i];
    return (s0 + s1) + (s2 + s3);
}
inline void a_axpy(double s, const float* x, double* acc, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) acc[i] += s * x[i];
}
template <class Span>
inline Status a_bad_id(const Span& ids, std::size_t limit) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::uint64_t>(ids[n]) >= limit)
            return Status::id_out_of_range(n, ids[n], limit);
    return {};
}
inline Status a_big_vocabulary(std::size_t vocabulary, std::size_t w) {
    if (vocabulary <= w) return {};
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(w)};
}
} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows)
        return {Code::shape_mismatch};
    if (Status s = a_big_vocabulary(vocabulary, wte.rows); s.code != Code::ok) return s;
    if (logits.cols == 0) return {};
    for (std::size_t n = 0; n < logits.rows; ++n) {
        float* to = logits.row(n);
        for (std::size_t v = 0; v < vocabulary; ++v)
            to[v] = static_cast<float>(a_dot(a_row(hidden, n), a_row(wte, v), hidden.cols));
        std::fill(to + vocabulary, to + logits.cols, -std::numeric_limits<float>::infinity());
    }
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols)
        return {Code::shape_mismatch};
    if (Status s = a_big_vocabulary(vocabulary, wte.rows); s.code != Code::ok) return s;
    if (dhidden.cols == 0 || dhidden.rows == 0) return {};
    std::vector<double> acc(dhidden.cols);
    for (std::size_t n = 0; n < dhidden.rows; ++n) {
        std::fill(acc.begin(), acc.end(), 0.0);
        for (std::size_t v = 0; v < vocabulary; ++v) a_axpy(dlogits(n, v), wte.row(v), acc.data(), acc.size());
        for (std::size_t c = 0; c < acc.size(); ++c) dhidden(n, c) = static_cast<float>(acc[c]);
    }
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), C = dwte.cols;
    if (dinput.rows != N || dinput.cols != C || hidden.rows != N || hidden.cols != C || dlogits.rows != N ||
        dlogits.cols != dwte.rows)
        return {Code::shape_mismatch};
    if (Status s = a_big_vocabulary(vocabulary, dwte.rows); s.code != Code::ok) return s;
    if (Status s = a_bad_id(ids, vocabulary); s.code != Code::ok) return s;
    if (N == 0 || C == 0) return {};
    std::vector<double> acc(vocabulary * C);
    for (std::size_t n = 0; n < N; ++n) {
        for (std::size_t v = 0; v < vocabulary; ++v)
            a_axpy(dlogits(n, v), hidden.row(n), acc.data() + v * C, C);
        a_axpy(1, dinput.row(n), acc.data() + static_cast<std::size_t>(ids[n]) * C, C);
    }
    for (std::size_t v = 0; v < vocabulary; ++v)
        for (std::size_t c = 0; c < C; ++c) dwte(v, c) = static_cast<float>(dwte(v, c) + acc[v * C + c]);
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = logits.rows, V = logits.cols;
    if (targets.size() != N || dlogits.rows != N || dlogits.cols != V) return {{Code::shape_mismatch}};
    std::size_t K = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        if (targets[n] < 0 || static_cast<std::uint64_t>(targets[n]) >= V)
            return {Status::id_out_of_range(n, targets[n], V)};
        ++K;
    }
    if (V == 0) return {};
    double total = 0;
    for (std::size_t n = 0; n < N; ++n) {
        float* to = dlogits.row(n);
        if (targets[n] == ignored) {
            std::fill(to, to + V, 0.0f);
            continue;
        }
        const float* x = logits.row(n);
        const double m = *std::max_element(x, x + V);
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v) sum += std::exp(x[v] - m); // NaN where the row is a bad one
        const std::size_t t = static_cast<std::size_t>(targets[n]);
        for (std::size_t v = 0; v < V; ++v)
            to[v] = static_cast<float>((std::exp(x[v] - m) / sum - (v == t ? 1.0 : 0.0)) / static_cast<double>(K));
        total += std::log(sum) - (x[t] - m);
    }
    return {{}, K == 0 ? 0.0 : total / static_cast<double>(K), K};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols) return {Code::shape_mismatch};
    if (Status s = a_bad_id(ids, a.rows); s.code != Code::ok) return s;
    if (out.cols == 0) return {};
    std::vector<double> acc(out.rows == 0 ? 0 : out.cols);
    for (std::size_t n = 0; n < out.rows; ++n) {
        const float* w = a_row(a, static_cast<std::size_t>(ids[n]));
        std::fill(acc.begin(), acc.end(), 0.0);
        for (std::size_t r = 0; r < a.cols; ++r) a_axpy(w[r], b.row(r), acc.data(), acc.size());
        for (std::size_t c = 0; c < acc.size(); ++c) out(n, c) = static_cast<float>(acc[c]);
    }
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size(), R = a.cols, C = b.cols;
    if (b.rows != R || dout.rows != N || dout.cols != C || da.rows != a.rows || da.cols != R || db.rows != R ||
        db.cols != C)
        return {Code::shape_mismatch};
    if (Status s = a_bad_id(ids, a.rows); s.code != Code::ok) return s;
    if (N == 0 || R == 0 || C == 0) return {};
    std::vector<double> grow(R * C);
    for (std::size_t n = 0; n < N; ++n) {
        const std::size_t v = static_cast<std::size_t>(ids[n]);
        for (std::size_t r = 0; r < R; ++r) {
            da(v, r) = static_cast<float>(da(v, r) + a_dot(dout.row(n), b.row(r), C));
            a_axpy(a(v, r), dout.row(n), grow.data() + r * C, C);
        }
    }
    for (std::size_t r = 0; r < R; ++r)
        for (std::size_t c = 0; c < C; ++c) db(r, c) = static_cast<float>(db(r, c) + grow[r * C + c]);
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    TableCounts c;
    c.tied = table + sizes.others;
    c.untied = c.tied + table;
    if (c.untied != 0) c.saved_share = static_cast<double>(table) / static_cast<double>(c.untied);
    c.factorised = sizes.rank * (sizes.vocabulary + sizes.channels);
    if (table != 0) c.max_rank = (table - 1) / (sizes.vocabulary + sizes.channels);
    return c;
}

} // namespace exercise

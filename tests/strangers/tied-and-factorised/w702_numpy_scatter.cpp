// wrong: table_gradient takes the rows dwte[ids], adds dinput and puts them back (like numpy's dwte[ids] += dinput), so that of a token that was read twice only the last dinput counts; shows where ids hold a token more than once; a right one adds dinput of all its positions
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
namespace {
enum class b_Fit { yes, no };
inline Status b_check(b_Fit fit, std::size_t vocabulary, std::size_t rows) {
    if (fit == b_Fit::no) return {Code::shape_mismatch};
    if (vocabulary > rows)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(rows)};
    return {};
}
inline bool b_outside(TokenId id, std::size_t limit) { return id < 0 || static_cast<std::size_t>(id) >= limit; }
} // namespace
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
    const bool fit = hidden.cols == wte.cols && hidden.rows == logits.rows && wte.rows == logits.cols;
    const Status status = b_check(fit ? b_Fit::yes : b_Fit::no, vocabulary, wte.rows);
    if (status.code != Code::ok || logits.rows == 0 || logits.cols == 0) return status;
    constexpr std::size_t block = 32;
    for (std::size_t first = 0; first < logits.cols; first += block) {
        const std::size_t last = first + std::min(block, logits.cols - first);
        for (std::size_t n = 0; n < logits.rows; ++n) {
            float* to = logits.row(n);
            for (std::size_t v = first; v < last; ++v)
                to[v] = v < vocabulary ? 0.0f : -std::numeric_limits<float>::infinity();
            for (std::size_t c = 0; c < hidden.cols; ++c) {
                const float h = hidden(n, c);
                for (std::size_t v = first; v < std::min(last, vocabulary); ++v) to[v] += h * wte(v, c);
            }
        }
    }
    return status;
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
    if (dinput.rows != N || hidden.rows != N || dlogits.rows != N || dinput.cols != C || hidden.cols != C ||
        dlogits.cols != dwte.rows)
        return {Code::shape_mismatch};
    if (vocabulary > dwte.rows)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(dwte.rows)};
    for (std::size_t n = 0; n < N; ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= vocabulary)
            return Status::id_out_of_range(n, ids[n], vocabulary);
    if (N == 0 || C == 0) return {};
    std::vector<float> rows;
    rows.reserve(N * C);
    for (TokenId id : ids)
        for (std::size_t c = 0; c < C; ++c) rows.push_back(dwte(static_cast<std::size_t>(id), c));
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t c = 0; c < C; ++c) rows[n * C + c] += dinput(n, c);
    for (std::size_t n = 0; n < N; ++n)
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(n * C), C, dwte.row(static_cast<std::size_t>(ids[n])));
    for (std::size_t v = 0; v < vocabulary; ++v)
        for (std::size_t c = 0; c < C; ++c) {
            double head = 0;
            for (std::size_t n = 0; n < N; ++n) head += static_cast<double>(dlogits(n, v)) * hidden(n, c);
            dwte(v, c) = static_cast<float>(dwte(v, c) + head);
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
    if (a.cols != b.rows || ids.size() != out.rows || b.cols != out.cols) return {Code::shape_mismatch};
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (b_outside(ids[n], a.rows)) return Status::id_out_of_range(n, ids[n], a.rows);
    if (out.cols == 0 || out.rows == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n) std::fill_n(out.row(n), out.cols, 0.0f);
    for (std::size_t r = 0; r < a.cols; ++r) // each row of b is read once, for all positions
        for (std::size_t n = 0; n < ids.size(); ++n) {
            const float w = a(static_cast<std::size_t>(ids[n]), r);
            for (std::size_t c = 0; c < out.cols; ++c) out(n, c) += w * b(r, c);
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

// wrong: factor_gradient adds up all rows of dout that belong to one token first and multiplies the sum by b once (k times fewer products); where b holds an infinity and a token occurs twice with dout 2 and -1, da gets +inf; a right one adds the products each by itself and gets NaN (inf - inf)
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
// [0, count) in as many shares as there is work for; which thread does a share changes nothing in it.
template <class F>
void c_shares(std::size_t count, double work, F f) {
    const double wanted = std::min(6.0, 1 + work / 200000);
    const std::size_t shares = std::min<std::size_t>(count, static_cast<std::size_t>(wanted));
    if (shares <= 1) {
        f(std::size_t{0}, count);
        return;
    }
    std::vector<std::thread> crew;
    crew.reserve(shares);
    const std::size_t each = count / shares, more = count % shares;
    std::size_t first = 0;
    for (std::size_t s = 0; s < shares; ++s) {
        const std::size_t last = first + each + (s < more ? 1 : 0);
        if (s + 1 == shares) {
            f(first, last);
        } else {
            try {
                crew.emplace_back(f, first, last);
            } catch (const std::system_error&) {
                f(first, last);
            }
        }
        first = last;
    }
    for (std::thread& each_thread : crew) each_thread.join();
}
inline double c_work(std::size_t x, std::size_t y, std::size_t z) {
    return static_cast<double>(x) * static_cast<double>(y) * static_cast<double>(z);
}
inline Status c_too_large(std::size_t vocabulary, std::size_t limit) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(limit)};
}
inline std::size_t c_first_bad(Ids ids, std::size_t limit) {
    const auto at = std::find_if(ids.begin(), ids.end(), [limit](TokenId id) {
        return id < 0 || static_cast<std::size_t>(id) >= limit;
    });
    return static_cast<std::size_t>(at - ids.begin());
}
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
    const bool fit = dlogits.cols == wte.rows && dlogits.rows == dhidden.rows && wte.cols == dhidden.cols;
    const Status status = b_check(fit ? b_Fit::yes : b_Fit::no, vocabulary, wte.rows);
    if (status.code != Code::ok || dhidden.rows == 0 || dhidden.cols == 0) return status;
    for (std::size_t n = 0; n < dhidden.rows; ++n) std::fill_n(dhidden.row(n), dhidden.cols, 0.0f);
    for (std::size_t v = 0; v < vocabulary; ++v)
        for (std::size_t n = 0; n < dhidden.rows; ++n) {
            const float g = dlogits(n, v);
            const float* w = wte.row(v);
            float* to = dhidden.row(n);
            for (std::size_t c = 0; c < dhidden.cols; ++c) to[c] += g * w[c];
        }
    return status;
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), C = dwte.cols;
    if (dinput.rows != N || dinput.cols != C || hidden.rows != N || hidden.cols != C || dlogits.rows != N ||
        dlogits.cols != dwte.rows)
        return {Code::shape_mismatch};
    if (vocabulary > dwte.rows) return c_too_large(vocabulary, dwte.rows);
    if (const std::size_t n = c_first_bad(ids, vocabulary); n != N)
        return Status::id_out_of_range(n, ids[n], vocabulary);
    if (N == 0 || C == 0) return {};
    // A share is a range of columns of dwte: no two threads meet.
    c_shares(C, c_work(N, vocabulary, C), [=](std::size_t first, std::size_t last) {
        for (std::size_t n = 0; n < N; ++n) {
            for (std::size_t v = 0; v < vocabulary; ++v)
                for (std::size_t c = first; c < last; ++c) dwte(v, c) += dlogits(n, v) * hidden(n, c);
            for (std::size_t c = first; c < last; ++c) dwte(static_cast<std::size_t>(ids[n]), c) += dinput(n, c);
        }
    });
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
    const bool fits = b.rows == R && dout.rows == N && dout.cols == C && da.rows == a.rows && da.cols == R &&
                      db.rows == R && db.cols == C;
    if (!fits) return {Code::shape_mismatch};
    for (std::size_t n = 0; n < N; ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= a.rows) return Status::id_out_of_range(n, ids[n], a.rows);
    if (N == 0 || R == 0 || C == 0) return {};
    std::map<TokenId, std::vector<double>> of_token; // token -> sum of its rows of dout
    for (std::size_t n = 0; n < N; ++n) {
        std::vector<double>& sum = of_token[ids[n]];
        sum.resize(C);
        for (std::size_t c = 0; c < C; ++c) sum[c] += dout(n, c);
    }
    for (const auto& [id, sum] : of_token) {
        const std::size_t v = static_cast<std::size_t>(id);
        for (std::size_t r = 0; r < R; ++r) {
            double g = da(v, r);
            for (std::size_t c = 0; c < C; ++c) g += sum[c] * b(r, c);
            da(v, r) = static_cast<float>(g);
        }
    }
    for (std::size_t r = 0; r < R; ++r)
        for (std::size_t c = 0; c < C; ++c) {
            double g = db(r, c);
            for (std::size_t n = 0; n < N; ++n)
                g += static_cast<double>(a(static_cast<std::size_t>(ids[n]), r)) * dout(n, c);
            db(r, c) = static_cast<float>(g);
        }
    return {};
}

TableCounts count(TableSizes sizes) {
    TableCounts c;
    const std::uint64_t one = sizes.vocabulary * sizes.channels;
    c.tied = sizes.others + one;
    c.untied = sizes.others + 2 * one;
    c.saved_share = c.untied > 0 ? static_cast<double>(one) / static_cast<double>(c.untied) : 0.0;
    c.factorised = sizes.vocabulary * sizes.rank + sizes.rank * sizes.channels;
    // bisection: `low` saves something (or is 0), `high` does not
    std::uint64_t low = 0, high = std::min(sizes.vocabulary, sizes.channels) + 1;
    const std::uint64_t side = sizes.vocabulary + sizes.channels;
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (one != 0 && middle <= (one - 1) / side ? low : high) = middle;
    }
    c.max_rank = low;
    return c;
}

} // namespace exercise

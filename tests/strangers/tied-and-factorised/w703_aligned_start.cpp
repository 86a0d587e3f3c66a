// wrong: tied_logits begins each dot product with single products up to the next 16-byte boundary of the row of hidden and goes on with four float sums; shows where C >= 4 and an equal call has its hidden at another address modulo 16: other order, other bits; a right one gives equal bits wherever the views lie
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

namespace {
float aligned_dot(const float* x, const float* y, std::size_t n) {
    float single = 0;
    while (n > 0 && reinterpret_cast<std::uintptr_t>(x) % 16 != 0) {
        single += *x++ * *y++;
        --n;
    }
    float lane[4] = {0, 0, 0, 0};
    for (; n >= 4; n -= 4, x += 4, y += 4)
        for (int i = 0; i < 4; ++i) lane[i] += x[i] * y[i];
    for (; n > 0; --n) single += *x++ * *y++;
    return single + ((lane[0] + lane[1]) + (lane[2] + lane[3]));
}
} // namespace
Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    const std::size_t N = hidden.rows, W = wte.rows, C = wte.cols;
    if (hidden.cols != C || logits.rows != N || logits.cols != W) return {Code::shape_mismatch};
    if (vocabulary > W)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(W)};
    if (N == 0) return {};
    for (std::size_t v = 0; v < W; ++v)
        for (std::size_t n = 0; n < N; ++n) {
            if (v >= vocabulary) logits(n, v) = -std::numeric_limits<float>::infinity();
            else logits(n, v) = C == 0 ? 0.0f : aligned_dot(hidden.row(n), wte.row(v), C);
        }
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
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const std::size_t N = targets.size(), V = logits.cols;
    if (logits.rows != N || dlogits.rows != N || dlogits.cols != V) return {{Code::shape_mismatch}};
    Loss loss;
    for (std::size_t n = 0; n < N; ++n)
        if (targets[n] != ignored) {
            if (b_outside(targets[n], V)) return {Status::id_out_of_range(n, targets[n], V)};
            ++loss.counted;
        }
    for (std::size_t n = 0; n < N && V != 0; ++n) {
        float* to = dlogits.row(n);
        if (targets[n] == ignored) {
            for (std::size_t v = 0; v < V; ++v) to[v] = 0;
            continue;
        }
        const float* x = logits.row(n);
        double m = -inf, s = 0; // s = sum of exp(x - m) over what was seen, for the m so far
        bool bad = false;
        for (std::size_t v = 0; v < V; ++v) {
            const double y = x[v];
            if (std::isnan(y) || y == inf) bad = true;
            else if (y > m) s = s * std::exp(m - y) + 1, m = y;
            else if (y > -inf) s += std::exp(y - m);
        }
        if (bad || s == 0) {
            for (std::size_t v = 0; v < V; ++v) to[v] = static_cast<float>(nan);
            loss.mean = nan;
            continue;
        }
        const double scale = 1 / s;
        const std::size_t target = static_cast<std::size_t>(targets[n]);
        const double k = static_cast<double>(loss.counted);
        for (std::size_t v = 0; v < V; ++v)
            to[v] = static_cast<float>((std::exp(x[v] - m) * scale - static_cast<double>(v == target)) / k);
        loss.mean += (m - x[target]) + std::log(s);
    }
    if (loss.counted != 0) loss.mean /= static_cast<double>(loss.counted);
    return loss;
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
    if (const std::size_t n = c_first_bad(ids, a.rows); n != N) return Status::id_out_of_range(n, ids[n], a.rows);
    if (N == 0 || C == 0 || R == 0) return {};
    // A share is a range of r: columns of da, rows of db.
    c_shares(R, 2 * c_work(N, R, C), [=](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r)
            for (std::size_t n = 0; n < N; ++n) {
                const std::size_t v = static_cast<std::size_t>(ids[n]);
                double sum = 0;
                for (std::size_t c = 0; c < C; ++c) {
                    sum += static_cast<double>(dout(n, c)) * b(r, c);
                    db(r, c) += a(v, r) * dout(n, c);
                }
                da(v, r) = static_cast<float>(da(v, r) + sum);
            }
    });
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

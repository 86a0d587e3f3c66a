// wrong: table_gradient keeps the positions sorted by token from the last call and takes them again where ids has the same address and size; shows where the caller has put other ids into the same memory: the lookup's terms go to the old rows; a right one looks at the ids of each call
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

namespace {
struct Index {
    const TokenId* data = nullptr;
    std::size_t size = 0;
    std::size_t vocabulary = 0;
    std::vector<std::pair<std::size_t, std::size_t>> token_and_position;
};
Index index_of_batch;
} // namespace
Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), C = dwte.cols;
    if (dinput.rows != N || dinput.cols != C || hidden.rows != N || hidden.cols != C || dlogits.rows != N ||
        dlogits.cols != dwte.rows)
        return {Code::shape_mismatch};
    if (vocabulary > dwte.rows)
        return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(dwte.rows)};
    for (std::size_t n = 0; n < N; ++n)
        if (ids[n] < 0 || static_cast<std::size_t>(ids[n]) >= vocabulary)
            return Status::id_out_of_range(n, ids[n], vocabulary);
    if (N == 0 || C == 0) return {};
    Index& index = index_of_batch;
    if (index.data != ids.data() || index.size != N || index.vocabulary != vocabulary) {
        index = {ids.data(), N, vocabulary, {}};
        for (std::size_t n = 0; n < N; ++n)
            index.token_and_position.emplace_back(static_cast<std::size_t>(ids[n]), n);
        std::sort(index.token_and_position.begin(), index.token_and_position.end());
    }
    auto next = index.token_and_position.begin();
    std::vector<double> sum(C);
    for (std::size_t v = 0; v < vocabulary; ++v) {
        std::fill(sum.begin(), sum.end(), 0.0);
        for (; next != index.token_and_position.end() && next->first == v; ++next)
            for (std::size_t c = 0; c < C; ++c) sum[c] += dinput(next->second, c);
        for (std::size_t n = 0; n < N; ++n)
            for (std::size_t c = 0; c < C; ++c) sum[c] += static_cast<double>(dlogits(n, v)) * hidden(n, c);
        for (std::size_t c = 0; c < C; ++c) dwte(v, c) = static_cast<float>(dwte(v, c) + sum[c]);
    }
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = targets.size(), V = logits.cols;
    if (logits.rows != N || dlogits.rows != N || dlogits.cols != V) return {{Code::shape_mismatch}};
    for (std::size_t n = 0; n < N; ++n)
        if (targets[n] != ignored && (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= V))
            return {Status::id_out_of_range(n, targets[n], V)};
    const std::size_t K = N - static_cast<std::size_t>(std::count(targets.begin(), targets.end(), ignored));
    if (N == 0 || V == 0) return {};
    std::vector<double> losses(N);
    double* const per_row = losses.data();
    c_shares(N, 8 * c_work(N, V, 1), [=](std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n) {
            if (targets[n] == ignored) {
                std::fill_n(dlogits.row(n), V, 0.0f);
                continue;
            }
            double m = -std::numeric_limits<double>::infinity();
            for (std::size_t v = 0; v < V; ++v) m = std::fmax(m, logits(n, v));
            double sum = 0;
            for (std::size_t v = 0; v < V; ++v) sum += std::exp(static_cast<double>(logits(n, v)) - m);
            for (std::size_t v = 0; v < V; ++v) {
                const double p = std::exp(static_cast<double>(logits(n, v)) - m) / sum;
                const double hit = static_cast<std::size_t>(targets[n]) == v ? 1 : 0;
                dlogits(n, v) = static_cast<float>((p - hit) / static_cast<double>(K));
            }
            per_row[n] = std::log(sum) + (m - static_cast<double>(logits(n, static_cast<std::size_t>(targets[n]))));
        }
    });
    double total = 0;
    for (double each : losses) total += each;
    return {{}, K == 0 ? 0.0 : total / static_cast<double>(K), K};
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

// wrong: cross_entropy takes the loss as (m + ln sum) - logit[target] in double, so that ln sum is lost in a large m; shows where all logits of a row are large, from about 1e10 on (all 1e18: the mean is 0 or 128, not ln V); a right one subtracts m from the logit first and adds ln sum then
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
    if (vocabulary > wte.rows) return c_too_large(vocabulary, wte.rows);
    const std::size_t N = dhidden.rows, C = dhidden.cols;
    if (N == 0 || C == 0) return {};
    c_shares(C, c_work(N, vocabulary, C), [=](std::size_t first, std::size_t last) {
        double part[16];
        for (std::size_t n = 0; n < N; ++n)
            for (std::size_t begin = first; begin < last; begin += 16) {
                const std::size_t width = std::min<std::size_t>(16, last - begin);
                std::fill_n(part, width, 0.0);
                for (std::size_t v = 0; v < vocabulary; ++v) {
                    const double g = dlogits(n, v);
                    for (std::size_t i = 0; i < width; ++i) part[i] += g * wte(v, begin + i);
                }
                for (std::size_t i = 0; i < width; ++i) dhidden(n, begin + i) = static_cast<float>(part[i]);
            }
    });
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
    const std::size_t N = targets.size(), V = logits.cols;
    if (logits.rows != N || dlogits.rows != N || dlogits.cols != V) return {{Code::shape_mismatch}};
    for (std::size_t n = 0; n < N; ++n)
        if (targets[n] != ignored && (targets[n] < 0 || static_cast<std::size_t>(targets[n]) >= V))
            return {Status::id_out_of_range(n, targets[n], V)};
    struct Row {
        double m, sum;
        double lse() const { return m + std::log(sum); }
    };
    const auto row_of = [&](std::size_t n) {
        Row row{-std::numeric_limits<double>::infinity(), 0};
        for (std::size_t v = 0; v < V; ++v) row.m = std::fmax(row.m, logits(n, v));
        for (std::size_t v = 0; v < V; ++v) row.sum += std::exp(logits(n, v) - row.m);
        return row;
    };
    const auto K = static_cast<std::size_t>(
        std::count_if(targets.begin(), targets.end(), [ignored](TokenId t) { return t != ignored; }));
    double total = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) {
            for (std::size_t v = 0; v < V; ++v) dlogits(n, v) = 0;
            continue;
        }
        const Row row = row_of(n);
        total += row.lse() - logits(n, static_cast<std::size_t>(targets[n]));
        for (std::size_t v = 0; v < V; ++v)
            dlogits(n, v) = static_cast<float>((std::exp(logits(n, v) - row.m) / row.sum -
                                                (v == static_cast<std::size_t>(targets[n]) ? 1.0 : 0.0)) /
                                               static_cast<double>(K));
    }
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

// wrong: cross_entropy returns at once where no position counts and leaves dlogits as it was; shows where all targets are `ignored` and N, V > 0; a right one writes rows of zeros for them
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
    const std::size_t N = ids.size(), C = dwte.cols;
    const bool fit = dinput.rows == N && hidden.rows == N && dlogits.rows == N && dinput.cols == C &&
                     hidden.cols == C && dlogits.cols == dwte.rows;
    const Status status = b_check(fit ? b_Fit::yes : b_Fit::no, vocabulary, dwte.rows);
    if (status.code != Code::ok) return status;
    for (std::size_t n = 0; n < N; ++n)
        if (b_outside(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    if (C == 0) return {};
    for (std::size_t n = 0; n < N; ++n) {
        const float* from = dinput.row(n);
        float* to = dwte.row(static_cast<std::size_t>(ids[n]));
        for (std::size_t c = 0; c < C; ++c) to[c] += from[c];
    }
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t v = 0; v < vocabulary; ++v) {
            const float g = dlogits(n, v);
            for (std::size_t c = 0; c < C; ++c) dwte(v, c) += g * hidden(n, c);
        }
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
    if (K == 0) return {}; // nothing to divide by
    const double share = 1.0 / static_cast<double>(K);
    double total = 0;
    for (std::size_t n = 0; n < N; ++n) {
        const bool counts = targets[n] != ignored;
        float* to = dlogits.row(n);
        if (!counts) {
            std::fill(to, to + V, 0.0f);
            continue;
        }
        const float* x = logits.row(n);
        const double m = *std::max_element(x, x + V);
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v) sum += std::exp(x[v] - m);
        for (std::size_t v = 0; v < V; ++v) to[v] = static_cast<float>(std::exp(x[v] - m) / sum * share);
        const std::size_t t = static_cast<std::size_t>(targets[n]);
        to[t] = static_cast<float>((std::exp(x[t] - m) / sum - 1) * share);
        total += std::log(sum) - (x[t] - m);
    }
    return {{}, total * share, K};
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
    const std::size_t N = ids.size(), V = a.rows, R = a.cols, C = b.cols;
    if (b.rows != R || dout.rows != N || dout.cols != C || da.rows != V || da.cols != R || db.rows != R ||
        db.cols != C)
        return {Code::shape_mismatch};
    for (std::size_t n = 0; n < N; ++n)
        if (b_outside(ids[n], V)) return Status::id_out_of_range(n, ids[n], V);
    if (R == 0 || C == 0) return {};
    for (std::size_t n = 0; n < N; ++n) {
        const std::size_t v = static_cast<std::size_t>(ids[n]);
        for (std::size_t r = 0; r < R; ++r) {
            float forward = 0;
            const float w = a(v, r);
            for (std::size_t c = 0; c < C; ++c) {
                forward += dout(n, c) * b(r, c);
                db(r, c) += w * dout(n, c);
            }
            da(v, r) += forward;
        }
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

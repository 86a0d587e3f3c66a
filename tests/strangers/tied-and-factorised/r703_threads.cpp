// right: threads with fixed shares (columns, ranks, rows) for large calls, nothing is summed across threads; rank by bisection
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

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows)
        return {Code::shape_mismatch};
    if (vocabulary > wte.rows) return c_too_large(vocabulary, wte.rows);
    const std::size_t N = logits.rows, C = hidden.cols;
    if (N == 0 || logits.cols == 0) return {};
    c_shares(logits.cols, c_work(N, logits.cols, C), [=](std::size_t first, std::size_t last) {
        for (std::size_t v = first; v < last; ++v)
            for (std::size_t n = 0; n < N; ++n) {
                double sum = v < vocabulary ? 0 : -std::numeric_limits<double>::infinity();
                if (v < vocabulary)
                    for (std::size_t c = 0; c < C; ++c) sum += static_cast<double>(hidden(n, c)) * wte(v, c);
                logits(n, v) = static_cast<float>(sum);
            }
    });
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
    const std::size_t N = ids.size(), R = a.cols, C = b.cols;
    if (b.rows != R || out.rows != N || out.cols != C) return {Code::shape_mismatch};
    if (const std::size_t n = c_first_bad(ids, a.rows); n != N) return Status::id_out_of_range(n, ids[n], a.rows);
    if (N == 0 || C == 0) return {};
    c_shares(N, c_work(N, R, C), [=](std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n)
            for (std::size_t c = 0; c < C; ++c) {
                double sum = 0;
                for (std::size_t r = 0; r < R; ++r)
                    sum += static_cast<double>(a(static_cast<std::size_t>(ids[n]), r)) * b(r, c);
                out(n, c) = static_cast<float>(sum);
            }
    });
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

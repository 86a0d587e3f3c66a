// right: one tile for dot products and one for sums of rows, in vectors of eight floats, shared out to threads by rows of the result; cross_entropy keeps its exponentials in the output, and tokens are sorted so that threads own rows.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <thread>
#include <vector>

namespace exercise {
namespace {

using Eight [[gnu::vector_size(32)]] = float;

inline void load(Eight& to, const float* from) {
    std::memcpy(&to, from, sizeof to);
}

/// A row that may be empty and then nowhere.
template <class T>
T* row_of(const Matrix<T>& m, std::size_t r) {
    return m.cols == 0 ? nullptr : m.row(r);
}

/// Calls body(begin, end) for parts of [0, count). Which part an index is in changes nothing of its result.
template <class Body>
void in_parts(std::size_t count, double work, const Body& body) {
    if (count == 0) return;
    std::size_t parts = 1;
    if (work > 5e6) parts = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    parts = std::min(parts, count);
    const std::size_t step = (count - 1) / parts + 1;
    std::vector<std::thread> threads;
    std::size_t begin = 0;
    try {
        for (; begin + step < count; begin += step)
            threads.emplace_back([&body, begin, step] { body(begin, begin + step); });
    } catch (const std::exception&) {
        // what is left is done here
    }
    body(begin, count);
    for (std::thread& thread : threads)
        thread.join();
}

double product(std::size_t a, std::size_t b, std::size_t c) {
    return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

/// Dot products of one row with up to four others, each in its own lanes.
void dots(const float* x, const float* const (&rows)[4], std::size_t count, float (&result)[4]) {
    Eight sums[4] = {};
    std::size_t c = 0;
    for (; c + 8 <= count; c += 8) {
        Eight left;
        load(left, x + c);
        for (int k = 0; k < 4; ++k) {
            Eight right;
            load(right, rows[k] + c);
            sums[k] += left * right;
        }
    }
    for (int k = 0; k < 4; ++k) {
        float sum = 0;
        for (int lane = 0; lane < 8; ++lane)
            sum += sums[k][lane];
        for (std::size_t rest = c; rest < count; ++rest)
            sum += x[rest] * rows[k][rest];
        result[k] = sum;
    }
}

/// out[v] = x . m[v] for v in [begin, end)
void dots_with_rows(const float* x, const Matrix<const float>& m, std::size_t begin, std::size_t end, float* out) {
    for (std::size_t v = begin; v < end; v += 4) {
        const std::size_t some = std::min<std::size_t>(4, end - v);
        const float* rows[4];
        for (std::size_t k = 0; k < 4; ++k)
            rows[k] = row_of(m, v + std::min(k, some - 1));
        float result[4];
        dots(x, rows, m.cols, result);
        std::copy_n(result, some, out + v);
    }
}

/// y += factor * x
inline void add_scaled(float* __restrict y, float factor, const float* __restrict x, std::size_t count) {
    for (std::size_t c = 0; c < count; ++c)
        y[c] += factor * x[c];
}

Status vocabulary_refusal(std::size_t vocabulary, std::size_t W) {
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(W)};
}

bool inside(TokenId id, std::size_t V) {
    return id >= 0 && static_cast<std::size_t>(id) < V;
}

Status id_refusal(Ids ids, std::size_t V) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (!inside(ids[n], V)) return Status::id_out_of_range(n, ids[n], V);
    return {};
}

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    const std::size_t N = hidden.rows, W = wte.rows, C = wte.cols;
    if (hidden.cols != C || logits.rows != N || logits.cols != W) return {Code::shape_mismatch};
    if (vocabulary > W) return vocabulary_refusal(vocabulary, W);
    if (N == 0 || W == 0) return {};
    // Blocks of the table stay in the cache for all positions; threads share out the blocks.
    constexpr std::size_t block = 64;
    const std::size_t blocks = (W - 1) / block + 1;
    in_parts(blocks, product(N, W, C), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const std::size_t first = k * block, last = std::min(first + block, W);
            const std::size_t tokens = std::clamp(vocabulary, first, last);
            for (std::size_t n = 0; n < N; ++n) {
                float* row = logits.row(n);
                dots_with_rows(row_of(hidden, n), wte, first, tokens, row);
                std::fill(row + tokens, row + last, -std::numeric_limits<float>::infinity());
            }
        }
    });
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    const std::size_t N = dlogits.rows, W = wte.rows, C = wte.cols;
    if (dlogits.cols != W || dhidden.rows != N || dhidden.cols != C) return {Code::shape_mismatch};
    if (vocabulary > W) return vocabulary_refusal(vocabulary, W);
    if (C == 0) return {};
    in_parts(N, product(N, vocabulary, C), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n)
            std::fill_n(dhidden.row(n), C, 0.0f);
        constexpr std::size_t together = 16; // positions for which a row of the table is read once
        for (std::size_t first = begin; first < end; first += together)
            for (std::size_t v = 0; v < vocabulary; ++v)
                for (std::size_t n = first; n < std::min(first + together, end); ++n)
                    add_scaled(dhidden.row(n), dlogits(n, v), wte.row(v), C);
    });
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size(), W = dwte.rows, C = dwte.cols;
    const bool fits = dinput.rows == N && dinput.cols == C && hidden.rows == N && hidden.cols == C &&
                      dlogits.rows == N && dlogits.cols == W;
    if (!fits) return {Code::shape_mismatch};
    if (vocabulary > W) return vocabulary_refusal(vocabulary, W);
    if (const Status bad = id_refusal(ids, vocabulary); bad.code != Code::ok) return bad;
    if (N == 0 || C == 0) return {};

    std::vector<std::size_t> order(N); // by token, and by place where that is equal
    for (std::size_t n = 0; n < N; ++n)
        order[n] = n;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return ids[x] < ids[y]; });

    in_parts(vocabulary, product(N, vocabulary, C), [&](std::size_t begin, std::size_t end) {
        constexpr std::size_t together = 16;
        for (std::size_t first = begin; first < end; first += together)
            for (std::size_t n = 0; n < N; ++n)
                for (std::size_t v = first; v < std::min(first + together, end); ++v)
                    add_scaled(dwte.row(v), dlogits(n, v), hidden.row(n), C);
        auto place = std::lower_bound(order.begin(), order.end(), begin, [&](std::size_t n, std::size_t v) {
            return static_cast<std::size_t>(ids[n]) < v;
        });
        for (; place != order.end() && static_cast<std::size_t>(ids[*place]) < end; ++place)
            add_scaled(dwte.row(static_cast<std::size_t>(ids[*place])), 1.0f, dinput.row(*place), C);
    });
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = logits.rows, V = logits.cols;
    Loss loss;
    if (targets.size() != N || dlogits.rows != N || dlogits.cols != V) {
        loss.status = Status{Code::shape_mismatch};
        return loss;
    }
    std::size_t K = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        if (!inside(targets[n], V)) {
            loss.status = Status::id_out_of_range(n, targets[n], V);
            return loss;
        }
        ++K;
    }
    if (N == 0 || V == 0) return loss;

    std::vector<double> losses(N, 0.0);
    in_parts(N, product(N, V, 20), [&](std::size_t begin, std::size_t end) {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        for (std::size_t n = begin; n < end; ++n) {
            float* d = dlogits.row(n);
            if (targets[n] == ignored) {
                std::fill_n(d, V, 0.0f);
                continue;
            }
            const float* x = logits.row(n);
            float m = -infinity;
            bool sound = true;
            for (std::size_t v = 0; v < V; ++v) {
                sound &= x[v] < infinity; // false for NaN
                m = x[v] > m ? x[v] : m;
            }
            if (!sound || m == -infinity) {
                std::fill_n(d, V, std::numeric_limits<float>::quiet_NaN());
                losses[n] = std::numeric_limits<double>::quiet_NaN();
                continue;
            }
            double sum = 0;
            for (std::size_t v = 0; v < V; ++v) {
                const double power = std::exp(static_cast<double>(x[v]) - static_cast<double>(m));
                sum += power;
                d[v] = static_cast<float>(power);
            }
            const auto target = static_cast<std::size_t>(targets[n]);
            const double below = static_cast<double>(x[target]) - static_cast<double>(m);
            losses[n] = std::log(sum) - below;
            const double scale = 1.0 / (sum * static_cast<double>(K));
            for (std::size_t v = 0; v < V; ++v)
                d[v] = static_cast<float>(d[v] * scale);
            d[target] = static_cast<float>((std::exp(below) / sum - 1.0) / static_cast<double>(K));
        }
    });
    double total = 0;
    for (const double one : losses)
        total += one;
    loss.counted = K;
    loss.mean = K == 0 ? 0.0 : total / static_cast<double>(K);
    return loss;
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    const std::size_t N = ids.size(), R = b.rows, C = b.cols;
    if (a.cols != R || out.rows != N || out.cols != C) return {Code::shape_mismatch};
    if (const Status bad = id_refusal(ids, a.rows); bad.code != Code::ok) return bad;
    if (C == 0) return {};
    in_parts(N, product(N, R, C), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            std::fill_n(out.row(n), C, 0.0f);
            for (std::size_t r = 0; r < R; ++r)
                add_scaled(out.row(n), a(static_cast<std::size_t>(ids[n]), r), b.row(r), C);
        }
    });
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size(), V = a.rows, R = a.cols, C = b.cols;
    const bool fits = b.rows == R && dout.rows == N && dout.cols == C && da.rows == V && da.cols == R &&
                      db.rows == R && db.cols == C;
    if (!fits) return {Code::shape_mismatch};
    if (const Status bad = id_refusal(ids, V); bad.code != Code::ok) return bad;
    if (N == 0 || R == 0) return {};
    // A part owns ranks: the columns r of da and the rows r of db.
    in_parts(R, product(N, R, C), [&](std::size_t begin, std::size_t end) {
        std::vector<float> row(R);
        for (std::size_t n = 0; n < N; ++n) {
            const auto v = static_cast<std::size_t>(ids[n]);
            dots_with_rows(row_of(dout, n), b, begin, end, row.data());
            for (std::size_t r = begin; r < end; ++r)
                da(v, r) += row[r];
            for (std::size_t r = begin; C != 0 && r < end; ++r)
                add_scaled(db.row(r), a(v, r), dout.row(n), C);
        }
    });
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    const std::uint64_t thin = sizes.vocabulary + sizes.channels;
    TableCounts counts;
    counts.tied = sizes.others + table;
    counts.untied = counts.tied + table;
    counts.saved_share = counts.untied == 0 ? 0.0 : static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * thin;
    counts.max_rank = table == 0 ? 0 : (table - 1) / thin;
    return counts;
}

} // namespace exercise

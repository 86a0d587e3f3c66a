// right: every function is a loop over rows of its output that several threads share, each output row belonging to one thread; columns in blocks of 64 doubles on the stack
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {

namespace {

/// Calls work(i) for every i < count; `cost` is about what one call does, in multiplications.
template <class Work>
void share(std::size_t count, std::size_t cost, const Work& work) {
    const auto part = [&work](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            work(i);
    };
    constexpr std::size_t most = 4;
    const bool small = count < 2 || cost == 0 || count < 400'000 / cost + 1;
    if (small) return part(0, count);
    std::vector<std::thread> threads;
    threads.reserve(most);
    std::size_t from = 0;
    for (std::size_t t = 1; t < most; ++t) {
        const std::size_t to = count / most * t;
        try {
            threads.emplace_back(part, from, to);
        } catch (const std::system_error&) {
            break;
        }
        from = to;
    }
    part(from, count);
    for (std::thread& thread : threads)
        thread.join();
}

constexpr std::size_t width = 64;

/// row[c] = start[c] + sum over k < terms of factor(k) * vector(k)[c], in double.
/// `also(sum, c0, n)` may add to a block before it is written.
template <class Factor, class Vector, class Also>
void combine(float* row, std::size_t cols, bool add, std::size_t terms, const Factor& factor,
             const Vector& vector, const Also& also) {
    for (std::size_t c0 = 0; c0 < cols; c0 += width) {
        const std::size_t n = std::min(width, cols - c0);
        double sum[width] = {};
        if (add) std::copy_n(row + c0, n, sum);
        for (std::size_t k = 0; k < terms; ++k) {
            const double f = factor(k);
            const float* x = vector(k) + c0;
            for (std::size_t c = 0; c < n; ++c)
                sum[c] += f * static_cast<double>(x[c]);
        }
        also(sum, c0, n);
        for (std::size_t c = 0; c < n; ++c)
            row[c0 + c] = static_cast<float>(sum[c]);
    }
}

const auto nothing = [](double*, std::size_t, std::size_t) {};

double dot(const float* x, const float* y, std::size_t n) {
    double sum[4] = {};
    for (std::size_t i = 0; i < n; ++i)
        sum[i % 4] += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

template <class T, class U>
bool same_shape(const Matrix<T>& x, const Matrix<U>& y) {
    return x.rows == y.rows && x.cols == y.cols;
}

Status refuse(Code code, std::size_t value = 0, std::size_t limit = 0) {
    return {code, 0, static_cast<std::int64_t>(value), static_cast<std::int64_t>(limit)};
}

Status check_ids(Ids ids, std::size_t limit) {
    const auto bad = std::find_if(ids.begin(), ids.end(), [limit](TokenId id) {
        return id < 0 || static_cast<std::size_t>(id) >= limit;
    });
    if (bad == ids.end()) return {};
    return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, limit);
}

/// Where the positions of each token stand: places[begin[v]] to places[begin[v + 1] - 1], in order.
struct Places {
    std::vector<std::size_t> begin;
    std::vector<std::size_t> places;

    Places(Ids ids, std::size_t vocabulary) : begin(vocabulary + 1, 0), places(ids.size()) {
        for (const TokenId id : ids)
            ++begin[static_cast<std::size_t>(id) + 1];
        for (std::size_t v = 0; v < vocabulary; ++v)
            begin[v + 1] += begin[v];
        std::vector<std::size_t> at(begin.begin(), begin.end() - 1);
        for (std::size_t n = 0; n < ids.size(); ++n)
            places[at[static_cast<std::size_t>(ids[n])]++] = n;
    }
};

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || hidden.rows != logits.rows || wte.rows != logits.cols)
        return refuse(Code::shape_mismatch);
    if (vocabulary > wte.rows) return refuse(Code::invalid_argument, vocabulary, wte.rows);
    share(logits.rows, vocabulary * hidden.cols, [&](std::size_t n) {
        if (logits.cols == 0) return;
        float* out = logits.row(n);
        for (std::size_t v = 0; v < vocabulary; ++v)
            out[v] = hidden.cols == 0 ? 0.0f : static_cast<float>(dot(hidden.row(n), wte.row(v), hidden.cols));
        std::fill(out + vocabulary, out + logits.cols, -std::numeric_limits<float>::infinity());
    });
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols)
        return refuse(Code::shape_mismatch);
    if (vocabulary > wte.rows) return refuse(Code::invalid_argument, vocabulary, wte.rows);
    if (wte.cols == 0) return {};
    share(dhidden.rows, vocabulary * wte.cols, [&](std::size_t n) {
        combine(
            dhidden.row(n), dhidden.cols, false, vocabulary,
            [&](std::size_t v) { return static_cast<double>(dlogits(n, v)); },
            [&](std::size_t v) { return wte.row(v); }, nothing);
    });
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size();
    if (!same_shape(dinput, hidden) || hidden.rows != N || dlogits.rows != N || hidden.cols != dwte.cols ||
        dlogits.cols != dwte.rows)
        return refuse(Code::shape_mismatch);
    if (vocabulary > dwte.rows) return refuse(Code::invalid_argument, vocabulary, dwte.rows);
    if (const Status bad = check_ids(ids, vocabulary); bad != Status{}) return bad;
    if (N == 0 || dwte.cols == 0) return {};
    const Places at(ids, vocabulary);
    share(vocabulary, N * dwte.cols, [&](std::size_t v) {
        combine(
            dwte.row(v), dwte.cols, true, N,
            [&](std::size_t n) { return static_cast<double>(dlogits(n, v)); },
            [&](std::size_t n) { return hidden.row(n); },
            [&](double* sum, std::size_t c0, std::size_t count) {
                for (std::size_t i = at.begin[v]; i < at.begin[v + 1]; ++i)
                    for (std::size_t c = 0; c < count; ++c)
                        sum[c] += static_cast<double>(dinput(at.places[i], c0 + c));
            });
    });
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = targets.size(), V = logits.cols;
    if (!same_shape(logits, dlogits) || logits.rows != N) return {refuse(Code::shape_mismatch), 0, 0};
    for (std::size_t n = 0; n < N; ++n)
        if (targets[n] != ignored)
            if (Status bad = check_ids(targets.subspan(n, 1), V); bad.code != Code::ok) {
                bad.where = n;
                return {bad, 0, 0};
            }
    const std::size_t counted =
        N - static_cast<std::size_t>(std::count(targets.begin(), targets.end(), ignored));
    if (V == 0) return {}; // nothing to write, and no target was good
    const double share_of_one = 1.0 / static_cast<double>(counted);

    std::vector<double> losses(N, 0.0);
    share(N, 40 * V, [&](std::size_t n) {
        float* d = dlogits.row(n);
        if (targets[n] == ignored) {
            std::fill(d, d + V, 0.0f);
            return;
        }
        const float* x = logits.row(n);
        const double m = *std::max_element(x, x + V); // what it says beside a NaN makes no difference
        double sum = 0;
        for (std::size_t v = 0; v < V; ++v)
            sum += std::exp(static_cast<double>(x[v]) - m);
        const std::size_t target = static_cast<std::size_t>(targets[n]);
        const double log_sum = m + std::log(sum);
        losses[n] = std::log(sum) - (static_cast<double>(x[target]) - m);
        if (std::isnan(log_sum)) losses[n] = log_sum;
        for (std::size_t v = 0; v < V; ++v) {
            const double p = std::exp(static_cast<double>(x[v]) - m) / sum;
            d[v] = static_cast<float>((v == target ? p - 1.0 : p) * share_of_one);
        }
    });
    double total = 0;
    for (const double loss : losses)
        total += loss;
    return {{}, counted == 0 ? 0.0 : total / static_cast<double>(counted), counted};
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols) return refuse(Code::shape_mismatch);
    if (const Status bad = check_ids(ids, a.rows); bad != Status{}) return bad;
    if (out.cols == 0) return {};
    share(out.rows, b.rows * b.cols, [&](std::size_t n) {
        const std::size_t id = static_cast<std::size_t>(ids[n]);
        combine(
            out.row(n), out.cols, false, b.rows, [&](std::size_t r) { return static_cast<double>(a(id, r)); },
            [&](std::size_t r) { return b.row(r); }, nothing);
    });
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size();
    if (a.cols != b.rows || !same_shape(a, da) || !same_shape(b, db) || dout.rows != N || dout.cols != b.cols)
        return refuse(Code::shape_mismatch);
    if (const Status bad = check_ids(ids, a.rows); bad != Status{}) return bad;
    if (N == 0 || b.rows == 0 || b.cols == 0) return {};
    const Places at(ids, a.rows);
    share(a.rows, b.rows * b.cols, [&](std::size_t v) {
        if (at.begin[v] == at.begin[v + 1]) return;
        for (std::size_t r = 0; r < b.rows; ++r) {
            double sum = da(v, r);
            for (std::size_t i = at.begin[v]; i < at.begin[v + 1]; ++i)
                sum += dot(dout.row(at.places[i]), b.row(r), b.cols);
            da(v, r) = static_cast<float>(sum);
        }
    });
    share(b.rows, N * b.cols, [&](std::size_t r) {
        combine(
            db.row(r), db.cols, true, N,
            [&](std::size_t n) { return static_cast<double>(a(static_cast<std::size_t>(ids[n]), r)); },
            [&](std::size_t n) { return dout.row(n); }, nothing);
    });
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t dense = sizes.vocabulary * sizes.channels;
    const std::uint64_t per_rank = sizes.vocabulary + sizes.channels;
    const std::uint64_t untied = sizes.others + 2 * dense;
    return {.tied = sizes.others + dense,
            .untied = untied,
            .saved_share = untied == 0 ? 0.0 : static_cast<double>(dense) / static_cast<double>(untied),
            .factorised = sizes.rank * per_rank,
            .max_rank = dense == 0 ? 0 : (dense + per_rank - 1) / per_rank - 1};
}

} // namespace exercise

// right: softmax in one pass that rescales its sum whenever a larger logit turns up; all matrix products go through one lambda-driven routine, the scatters through a sorted list of positions
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace exercise {

namespace {

constexpr std::size_t width = 32;

/// target(i, j) = start(i, j) + sum over k < K of left(i, k) * right(k, j), summed from the last k to the first.
template <class Left, class Right, class Start, class Target>
void product(std::size_t I, std::size_t J, std::size_t K, Left left, Right right, Start start, Target target) {
    for (std::size_t i = 0; i < I; ++i)
        for (std::size_t j = 0; j < J; j += width) {
            const std::size_t lanes = std::min(width, J - j);
            double sum[width] = {};
            for (std::size_t k = K; k-- > 0;) {
                const double factor = left(i, k);
                for (std::size_t l = 0; l < lanes; ++l)
                    sum[l] += factor * static_cast<double>(right(k, j + l));
            }
            for (std::size_t l = 0; l < lanes; ++l)
                target(i, j + l) = static_cast<float>(sum[l] + static_cast<double>(start(i, j + l)));
        }
}

const auto from_zero = [](std::size_t, std::size_t) { return 0.0; };

/// The positions ordered by their ids, equal ids by position.
std::vector<std::size_t> by_id(Ids ids) {
    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return ids[x] < ids[y]; });
    return order;
}

/// Calls visit(id, first, last) for each run of equal ids in the order.
template <class Visit>
void runs(Ids ids, const std::vector<std::size_t>& order, Visit visit) {
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from;
        while (to < order.size() && ids[order[to]] == ids[order[from]])
            ++to;
        visit(static_cast<std::size_t>(ids[order[from]]), from, to);
        from = to;
    }
}

struct Softmax {
    double largest = -std::numeric_limits<double>::infinity();
    double sum = 0; ///< of exp(x - largest)
    bool broken = false;

    void take(double x) {
        broken = broken || std::isnan(x) || x == std::numeric_limits<double>::infinity();
        if (broken || x == -std::numeric_limits<double>::infinity()) return;
        if (x > largest) {
            sum = sum * std::exp(largest - x) + 1.0; // 0 * 0 + 1 for the first
            largest = x;
        } else {
            sum += std::exp(x - largest);
        }
    }
    bool sound() const { return !broken && sum > 0; }
    double probability(double x) const { return std::exp(x - largest) / sum; }
    double loss(double x) const { return std::log(sum) + (largest - x); }
};

bool outside(TokenId id, std::size_t limit) {
    return id < 0 || static_cast<std::size_t>(id) >= limit;
}

Status vocabulary_status(std::size_t vocabulary, std::size_t rows) {
    if (vocabulary <= rows) return {};
    return {Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary), static_cast<std::int64_t>(rows)};
}

Status id_status(Ids ids, std::size_t limit) {
    for (const TokenId& id : ids)
        if (outside(id, limit)) return Status::id_out_of_range(static_cast<std::size_t>(&id - ids.data()), id, limit);
    return {};
}

constexpr Status wrong_shape{Code::shape_mismatch, 0, 0, 0};

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows) return wrong_shape;
    if (const Status s = vocabulary_status(vocabulary, wte.rows); s != Status{}) return s;
    product(
        hidden.rows, vocabulary, hidden.cols, hidden,
        [&](std::size_t c, std::size_t v) { return wte(v, c); }, from_zero, logits);
    for (std::size_t n = 0; n < logits.rows; ++n)
        for (std::size_t v = logits.cols; v-- > vocabulary;)
            logits(n, v) = -std::numeric_limits<float>::infinity();
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols) return wrong_shape;
    if (const Status s = vocabulary_status(vocabulary, wte.rows); s != Status{}) return s;
    product(dhidden.rows, dhidden.cols, vocabulary, dlogits, wte, from_zero, dhidden);
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t N = ids.size();
    if (hidden.rows != N || dinput.rows != N || dlogits.rows != N || hidden.cols != dwte.cols ||
        dinput.cols != dwte.cols || dlogits.cols != dwte.rows)
        return wrong_shape;
    if (const Status s = vocabulary_status(vocabulary, dwte.rows); s != Status{}) return s;
    if (const Status s = id_status(ids, vocabulary); s != Status{}) return s;
    if (N == 0) return {};
    product(
        vocabulary, dwte.cols, N, [&](std::size_t v, std::size_t n) { return dlogits(n, v); }, hidden, dwte, dwte);
    const std::vector<std::size_t> order = by_id(ids);
    runs(ids, order, [&](std::size_t v, std::size_t from, std::size_t to) {
        for (std::size_t c = 0; c < dwte.cols; ++c) {
            double sum = 0;
            for (std::size_t i = from; i < to; ++i)
                sum += static_cast<double>(dinput(order[i], c));
            dwte(v, c) = static_cast<float>(sum + static_cast<double>(dwte(v, c)));
        }
    });
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t N = targets.size(), V = logits.cols;
    Loss result;
    if (logits.rows != N || dlogits.rows != N || dlogits.cols != V) {
        result.status = wrong_shape;
        return result;
    }
    std::size_t counted = 0;
    for (std::size_t n = 0; n < N; ++n) {
        const bool counts = targets[n] != ignored;
        if (counts && outside(targets[n], V)) {
            result.status = Status::id_out_of_range(n, targets[n], V);
            return result;
        }
        counted += counts ? 1 : 0;
    }
    const double K = static_cast<double>(counted);
    for (std::size_t n = 0; n < N; ++n) {
        const bool counts = targets[n] != ignored;
        Softmax softmax;
        for (std::size_t v = 0; counts && v < V; ++v)
            softmax.take(static_cast<double>(logits(n, v)));
        for (std::size_t v = 0; v < V; ++v) {
            if (!counts)
                dlogits(n, v) = 0.0f;
            else if (!softmax.sound())
                dlogits(n, v) = std::numeric_limits<float>::quiet_NaN();
            else
                dlogits(n, v) = static_cast<float>(
                    (softmax.probability(static_cast<double>(logits(n, v))) -
                     (v == static_cast<std::size_t>(targets[n]) ? 1.0 : 0.0)) / K);
        }
        if (!counts) continue;
        const double x = static_cast<double>(logits(n, static_cast<std::size_t>(targets[n])));
        result.mean += softmax.sound() ? softmax.loss(x) : std::numeric_limits<double>::quiet_NaN();
    }
    result.counted = counted;
    if (counted != 0) result.mean /= K;
    return result;
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols) return wrong_shape;
    if (const Status s = id_status(ids, a.rows); s != Status{}) return s;
    product(
        out.rows, out.cols, b.rows,
        [&](std::size_t n, std::size_t r) { return a(static_cast<std::size_t>(ids[n]), r); }, b, from_zero, out);
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t N = ids.size();
    if (a.cols != b.rows || da.rows != a.rows || da.cols != a.cols || db.rows != b.rows || db.cols != b.cols ||
        dout.rows != N || dout.cols != b.cols)
        return wrong_shape;
    if (const Status s = id_status(ids, a.rows); s != Status{}) return s;
    if (N == 0) return {};
    const std::vector<std::size_t> order = by_id(ids);
    runs(ids, order, [&](std::size_t v, std::size_t from, std::size_t to) {
        // One long sum: k runs over the pairs of a position of the token and a channel.
        const std::size_t C = b.cols;
        product(
            1, a.cols, (to - from) * C,
            [&](std::size_t, std::size_t k) { return dout(order[from + k / C], k % C); },
            [&](std::size_t k, std::size_t r) { return b(r, k % C); },
            [&](std::size_t, std::size_t r) { return da(v, r); },
            [&](std::size_t, std::size_t r) -> float& { return da(v, r); });
    });
    product(
        b.rows, b.cols, N,
        [&](std::size_t r, std::size_t n) { return a(static_cast<std::size_t>(ids[n]), r); }, dout, db, db);
    return {};
}

TableCounts count(TableSizes sizes) {
    TableCounts counts;
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    counts.tied = table + sizes.others;
    counts.untied = table + counts.tied;
    if (counts.untied != 0)
        counts.saved_share = static_cast<double>(static_cast<long double>(table) / static_cast<long double>(counts.untied));
    const std::uint64_t both = sizes.vocabulary + sizes.channels;
    counts.factorised = both * sizes.rank;
    const std::uint64_t whole = both == 0 ? 0 : table / both;
    const bool wasted = both != 0 && table % both == 0; // that rank saves nothing
    counts.max_rank = whole - (wasted && whole > 0 ? 1 : 0);
    return counts;
}

} // namespace exercise

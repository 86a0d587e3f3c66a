// right: whole matrices of hidden and probabilities by one product template that takes lambdas for its factors and shares the rows among three joined threads
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>
#include <thread>
#include <vector>

namespace exercise {
namespace {

using std::size_t;
using View = Matrix<const float>;

// A matrix of our own, in double.
class Grid {
    size_t cols_;
    std::vector<double> cells_;

  public:
    Grid(size_t rows, size_t cols) : cols_(cols), cells_(rows * cols) {}
    double& operator()(size_t r, size_t c) { return cells_[r * cols_ + c]; }
    double operator()(size_t r, size_t c) const { return cells_[r * cols_ + c]; }
};

// to(r, c) = sum over i of a(r, i) * b(i, c), the rows shared among three threads.
template <class A, class B>
void product(Grid& to, size_t rows, size_t inner, size_t cols, const A& a, const B& b) {
    const auto part = [&](size_t first) {
        for (size_t r = first; r < rows; r += 3)
            for (size_t i = 0; i < inner; ++i) {
                const double x = a(r, i);
                for (size_t c = 0; c < cols; ++c)
                    to(r, c) += x * b(i, c);
            }
    };
    if (rows * inner * cols < 20'000) {
        part(0), part(1), part(2);
        return;
    }
    std::thread second(part, 1), third(part, 2);
    part(0);
    second.join();
    third.join();
}

Status verdict(View wte, Ids ids, Ids targets, TokenId ignored) {
    const auto outside = [&](TokenId id) { return id < 0 || static_cast<size_t>(id) >= wte.rows; };
    for (size_t n : std::views::iota(size_t{0}, ids.size()))
        if (outside(ids[n])) return Status::id_out_of_range(n, ids[n], wte.rows);
    for (size_t n : std::views::iota(size_t{0}, targets.size()))
        if (targets[n] != ignored && outside(targets[n])) return Status::id_out_of_range(n, targets[n], wte.rows);
    return {};
}

struct Batch {
    View wte, mix;
    Ids ids, targets;
    TokenId ignored;
    size_t N, V, C, K = 0;
    Grid hidden, p; // p: logits, then probabilities, then dlogits
    double mean = 0;

    Batch(View w, View m, Ids i, Ids t, TokenId ig)
        : wte(w), mix(m), ids(i), targets(t), ignored(ig), N(i.size()), V(w.rows), C(w.cols), hidden(N, C), p(N, V) {
        product(hidden, N, C, C, [&](size_t n, size_t k) { return double{wte(token(n), k)}; },
                [&](size_t k, size_t c) { return double{mix(k, c)}; });
        product(p, N, C, V, hidden, [&](size_t c, size_t v) { return double{wte(v, c)}; });
        for (size_t n = 0; n < N; ++n) {
            if (targets[n] == ignored) continue;
            ++K;
            double top = p(n, 0), sum = 0;
            for (size_t v = 1; v < V; ++v)
                top = std::max(top, p(n, v));
            const double at_target = p(n, static_cast<size_t>(targets[n]));
            for (size_t v = 0; v < V; ++v)
                sum += p(n, v) = std::exp(p(n, v) - top);
            for (size_t v = 0; v < V; ++v)
                p(n, v) /= sum;
            mean += std::log(sum) + (top - at_target);
        }
        if (K != 0) mean /= static_cast<double>(K);
    }
    size_t token(size_t n) const { return static_cast<size_t>(ids[n]); }
    Loss loss() const { return {Status{}, mean, K}; }

    void slopes(Grid& dwte, Grid& dmix) {
        const double parts = static_cast<double>(K);
        for (size_t n = 0; n < N; ++n) {
            const bool counts = targets[n] != ignored;
            for (size_t v = 0; v < V; ++v)
                p(n, v) = counts ? (p(n, v) - (v == static_cast<size_t>(targets[n]))) / parts : 0.0;
        }
        Grid dhidden(N, C), lookup(N, C);
        product(dhidden, N, V, C, p, [&](size_t v, size_t c) { return double{wte(v, c)}; });
        product(dmix, C, N, C, [&](size_t k, size_t n) { return double{wte(token(n), k)}; }, dhidden);
        product(dwte, V, N, C, [&](size_t v, size_t n) { return p(n, v); }, hidden);
        product(lookup, N, C, C, dhidden, [&](size_t k, size_t c) { return double{mix(c, k)}; });
        for (size_t n = 0; n < N; ++n)
            for (size_t c = 0; c < C; ++c)
                dwte(token(n), c) += lookup(n, c);
    }
};

template <class F>
void each(Matrix<float> m, F f) {
    for (size_t r = 0; r < m.rows; ++r)
        for (size_t c = 0; c < m.cols; ++c)
            f(m(r, c), r, c);
}

bool same_shape(View a, View b) {
    return a.rows == b.rows && a.cols == b.cols;
}
bool fit(View wte, View mix, Ids ids, Ids targets) {
    return mix.rows == wte.cols && mix.cols == wte.cols && ids.size() == targets.size();
}
bool usable(float rate) {
    return rate >= 0 && rate <= std::numeric_limits<float>::max();
}
Loss refused(Status status) {
    return {status, 0, 0};
}

} // namespace

Status initialise(std::uint64_t seed, float spread, Matrix<float> wte, Matrix<float> mix) {
    if (mix.rows != wte.cols || mix.cols != wte.cols) return {Code::shape_mismatch};
    if (!usable(spread)) return {Code::invalid_argument};
    each(wte, [&](float& x, size_t v, size_t c) {
        x = static_cast<float>((2 * uniform(seed, v * wte.cols + c) - 1) * static_cast<double>(spread));
    });
    each(mix, [](float& x, size_t k, size_t c) { x = static_cast<float>(k == c); });
    return {};
}

Loss evaluate(View wte, View mix, Ids ids, Ids targets, TokenId ignored) {
    if (!fit(wte, mix, ids, targets)) return refused({Code::shape_mismatch});
    if (const Status s = verdict(wte, ids, targets, ignored); s != Status{}) return refused(s);
    return Batch(wte, mix, ids, targets, ignored).loss();
}

Loss gradients(View wte, View mix, Ids ids, Ids targets, TokenId ignored, Matrix<float> dwte, Matrix<float> dmix) {
    if (!fit(wte, mix, ids, targets) || !same_shape(dwte, wte) || !same_shape(dmix, mix))
        return refused({Code::shape_mismatch});
    if (const Status s = verdict(wte, ids, targets, ignored); s != Status{}) return refused(s);
    Batch batch(wte, mix, ids, targets, ignored);
    Grid w(wte.rows, wte.cols), m(mix.rows, mix.cols);
    batch.slopes(w, m);
    each(dwte, [&](float& x, size_t r, size_t c) { x = static_cast<float>(w(r, c)); });
    each(dmix, [&](float& x, size_t r, size_t c) { x = static_cast<float>(m(r, c)); });
    return batch.loss();
}

Status update(View gradient, float rate, Matrix<float> weights) {
    if (!same_shape(gradient, weights)) return {Code::shape_mismatch};
    if (!usable(rate)) return {Code::invalid_argument};
    if (rate != 0)
        each(weights, [&](float& w, size_t r, size_t c) {
            w = static_cast<float>(w - static_cast<double>(rate) * gradient(r, c));
        });
    return {};
}

Loss step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate) {
    if (!fit(wte, mix, ids, targets)) return refused({Code::shape_mismatch});
    if (!usable(rate)) return refused({Code::invalid_argument});
    if (const Status s = verdict(wte, ids, targets, ignored); s != Status{}) return refused(s);
    Batch batch(wte, mix, ids, targets, ignored);
    if (rate == 0) return batch.loss();
    Grid w(wte.rows, wte.cols), m(mix.rows, mix.cols);
    batch.slopes(w, m);
    each(wte, [&](float& x, size_t r, size_t c) { x = static_cast<float>(x - static_cast<double>(rate) * w(r, c)); });
    each(mix, [&](float& x, size_t r, size_t c) { x = static_cast<float>(x - static_cast<double>(rate) * m(r, c)); });
    return batch.loss();
}

Status cosines(View wte, TokenId token, std::span<float> out) {
    if (out.size() != wte.rows) return {Code::shape_mismatch};
    if (token < 0 || static_cast<size_t>(token) >= wte.rows) return Status::id_out_of_range(0, token, wte.rows);
    const size_t t = static_cast<size_t>(token);
    for (size_t v = 0; v < wte.rows; ++v) {
        double tv = 0, tt = 0, vv = 0;
        for (size_t c = 0; c < wte.cols; ++c) {
            const double x = wte(t, c), y = wte(v, c);
            tv += x * y, tt += x * x, vv += y * y;
        }
        out[v] = tt == 0 || vv == 0 ? 0.0F : static_cast<float>(tv / (std::sqrt(tt) * std::sqrt(vv)));
    }
    return {};
}

} // namespace exercise

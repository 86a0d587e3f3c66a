#pragma once

// What the tests of this suite share.

#include "corpus.h"
#include "harness/adversity/adverse.h"
#include "harness/suite.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

// N: positions of a batch, V: vocabulary size, C: channels
using namespace contract;
using namespace harness;

namespace suite {

constexpr double u = 0x1p-24;
constexpr double e = 0x1p-52;
constexpr double smallest = 0x1p-149; ///< of the floats
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr TokenId none = -1; ///< ignored, where every target counts

using Tokens = std::vector<TokenId>;
using Table = Matrix<const float>;

inline double number(float value) {
    return static_cast<double>(value);
}

inline Grid<float> filled(std::size_t rows, std::size_t cols, float value) {
    Grid<float> grid(rows, cols);
    grid.fill(value);
    return grid;
}

inline Grid<float> spread_out(Random& random, std::size_t rows, std::size_t cols, double deviation) {
    Grid<float> grid(rows, cols);
    for (float& value : grid.cells())
        value = static_cast<float>(deviation * random.normal());
    return grid;
}

/// What a call has to give, and by how much it may be off, straight from the contract.
struct Witness {
    Witness(Table wte_, Table mix_, Ids ids, Ids targets, TokenId ignored)
        : wte(wte_), mix(mix_), V(wte.rows), C(wte.cols), dwte(V, C), dmix(C, C), wte_bound(V, C),
          mix_bound(C, C), sums_wte(V, C), sums_mix(C, C) {
        for (Grid<double>* each : {&dwte, &dmix, &wte_bound, &mix_bound, &sums_wte, &sums_mix})
            each->fill(0);
        counted = static_cast<std::size_t>(
            std::ranges::count_if(targets, [&](TokenId target) { return target != ignored; }));
        for (std::size_t n = 0; n < ids.size(); ++n)
            add(static_cast<std::size_t>(ids[n]), targets[n], targets[n] != ignored);
        const auto sizes = static_cast<double>(ids.size() + V + 5 * C + 24);
        const double h = e * sizes * (1 + largest);
        mean_bound = 8 * h;
        set_bounds(wte_bound, dwte, sums_wte, h);
        set_bounds(mix_bound, dmix, sums_mix, h);
    }

    void add(std::size_t id, TokenId target, bool counts) {
        std::vector<double> hidden(C, 0), sizes(C, 0), x(V, 0); // `sizes`: of absolute values
        for (std::size_t k = 0; k < C; ++k)
            for (std::size_t c = 0; c < C; ++c) {
                const double term = number(wte(id, k)) * number(mix(k, c));
                hidden[c] += term;
                sizes[c] += std::abs(term);
            }
        for (std::size_t v = 0; v < V; ++v) {
            double size = 0;
            for (std::size_t c = 0; c < C; ++c) {
                x[v] += hidden[c] * number(wte(v, c));
                size += sizes[c] * std::abs(number(wte(v, c)));
            }
            largest = std::max(largest, size);
        }
        if (!counts) return;
        const auto wanted = static_cast<std::size_t>(target);
        const double K = static_cast<double>(counted), top = *std::ranges::max_element(x);
        double sum = 0;
        for (const double each : x)
            sum += std::exp(each - top);
        mean += (std::log(sum) + top - x[wanted]) / K;
        std::vector<double> dhidden(C, 0), dsizes(C, 0);
        for (std::size_t v = 0; v < V; ++v) {
            const double p = std::exp(x[v] - top) / sum, hit = v == wanted ? 1 : 0;
            const double g = (p - hit) / K, size = (p + hit) / K;
            for (std::size_t c = 0; c < C; ++c) {
                dhidden[c] += g * number(wte(v, c));
                dsizes[c] += size * std::abs(number(wte(v, c)));
                dwte(v, c) += g * hidden[c];
                sums_wte(v, c) += size * sizes[c];
            }
        }
        for (std::size_t k = 0; k < C; ++k)
            for (std::size_t c = 0; c < C; ++c) {
                dmix(k, c) += number(wte(id, k)) * dhidden[c];
                sums_mix(k, c) += std::abs(number(wte(id, k))) * dsizes[c];
                dwte(id, k) += dhidden[c] * number(mix(k, c));
                sums_wte(id, k) += dsizes[c] * std::abs(number(mix(k, c)));
            }
    }
    static void set_bounds(Grid<double>& bound, const Grid<double>& g, const Grid<double>& sums, double h) {
        for (std::size_t i = 0; i < bound.cells().size(); ++i)
            bound.cells()[i] = u * std::abs(g.cells()[i]) + 8 * h * sums.cells()[i] + smallest;
    }

    Table wte, mix;
    std::size_t V, C, counted = 0;
    double mean = 0, mean_bound = 0, largest = 0;
    Grid<double> dwte, dmix, wte_bound, mix_bound, sums_wte, sums_mix;
};

/// A model of the caller: its two parameters.
struct Model {
    Grid<float> wte, mix;

    Witness witness(const Tokens& ids, const Tokens& targets, TokenId ignored) const {
        return {wte, mix, ids, targets, ignored};
    }
};

inline Model random_model(Random& random, std::size_t V, std::size_t C) {
    return {spread_out(random, V, C, 0.7), spread_out(random, C, C, 0.7)};
}

inline Loss step(Model& model, Ids ids, Ids targets, TokenId ignored, float rate) {
    return subject::step(model.wte, model.mix, ids, targets, ignored, rate);
}

struct Gradients {
    Grid<float> dwte, dmix;
};

inline Gradients gradients_of(const Model& model, const Tokens& ids, const Tokens& targets, TokenId ignored) {
    Gradients all{Grid<float>(model.wte.rows(), model.wte.cols()),
                  Grid<float>(model.mix.rows(), model.mix.cols())};
    expect_status(subject::gradients(model.wte, model.mix, ids, targets, ignored, all.dwte, all.dmix).status,
                  Status{});
    return all;
}

/// `evaluate` and `gradients` against the definition.
inline void expect_learning(const Model& model, const Tokens& ids, const Tokens& targets, TokenId ignored) {
    const Witness want = model.witness(ids, targets, ignored);
    const Loss loss = subject::evaluate(model.wte, model.mix, ids, targets, ignored);
    expect_status(loss.status, Status{});
    expect_equal("counted", loss.counted, want.counted);
    expect_near("the mean", loss.mean, want.mean, want.mean_bound);
    const Gradients got = gradients_of(model, ids, targets, ignored);
    expect_within("dwte", got.dwte, want.dwte, want.wte_bound);
    expect_within("dmix", got.dmix, want.dmix, want.mix_bound);
}

/// What a step leaves of a parameter, and its bounds.
struct Stepped {
    Stepped(Table w, float rate_, const Grid<double>& g, const Grid<double>& g_bound)
        : want(w.rows, w.cols), bound(w.rows, w.cols) {
        const double rate = number(rate_);
        for (std::size_t r = 0; r < w.rows; ++r)
            for (std::size_t c = 0; c < w.cols; ++c) {
                const double old = number(w(r, c)), move = rate * g(r, c);
                want(r, c) = old - move;
                bound(r, c) =
                    rate == 0 ? 0
                              : rate * g_bound(r, c) + 2 * u * (std::abs(old) + std::abs(move)) + smallest;
            }
    }
    Grid<double> want, bound;
};

// Adversities. The functions with a loss are called through others that put it into an output, because what
// it may be off by follows from the arguments.

/// Values of about 1: logits of some tens, of which several have a probability.
inline Contents weights(float power) {
    return {scaled(normal(), power),
            {{"zeros", constant(0)},
             {"values of about 100", scaled(fractions(), 64)},
             {"denormals", scaled(normal(), 0x1p-140F)}}};
}

} // namespace suite

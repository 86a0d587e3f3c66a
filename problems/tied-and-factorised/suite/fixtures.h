#pragma once

// What the tests of this suite share.

#include "harness/adversity/adverse.h"
#include "harness/suite.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

// N: positions, C: channels, R: rank, V: vocabulary size, W: rows of the table, of which W - V are padding
using namespace contract;
using namespace harness;

namespace suite {

constexpr double u = 0x1p-24;
constexpr double smallest_normal = 0x1p-126;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr TokenId nothing_ignored = -1;

inline Grid<float> filled(std::size_t rows, std::size_t cols, float value) {
    Grid<float> grid(rows, cols);
    grid.fill(value);
    return grid;
}

/// Multiples of 1/64 in [-2, 2]: products of two of them are multiples of 2^-12, so that thousands add
/// exactly.
inline Grid<float> random_fractions(Random& random, std::size_t rows, std::size_t cols) {
    Grid<float> grid(rows, cols);
    for (float& value : grid.cells())
        value = static_cast<float>(random.integer(-128, 128)) / 64.0F;
    return grid;
}

/// Sums of float terms in double, each with a bound of `roundings` and one for rounding the expected value.
class Sums {
  public:
    Sums(std::size_t rows, std::size_t cols) : want(rows, cols), bound(rows, cols) {
        want.fill(0);
        bound.fill(0);
    }
    void add(std::size_t r, std::size_t c, double term) {
        want(r, c) += term;
        bound(r, c) += std::abs(term);
    }
    void add(const Grid<float>& before) {
        for (std::size_t r = 0; r < before.rows(); ++r)
            for (std::size_t c = 0; c < before.cols(); ++c)
                add(r, c, before(r, c));
    }
    void expect(std::string_view what, const Grid<float>& got, std::size_t roundings) {
        for (double& each : bound.cells())
            each *= static_cast<double>(roundings) * u;
        expect_within(what, got, want, bound);
    }
    void expect(std::string_view what, const Grid<float>& got, const Grid<double>& roundings) {
        for (std::size_t i = 0; i < bound.cells().size(); ++i)
            bound.cells()[i] *= roundings.cells()[i] * u;
        expect_within(what, got, want, bound);
    }

    Grid<double> want;
    Grid<double> bound;
};

inline double product(float a, float b) {
    return static_cast<double>(a) * static_cast<double>(b);
}

/// One row of logits, in double and from the definition: 1 / p[v] is the sum of exp(x[w] - x[v]) over w,
/// which needs no largest element.
inline double probability(std::span<const float> row, std::size_t v) {
    if (row[v] == -infinity) return 0;
    double sum = 0;
    for (const float x : row)
        sum += std::exp(static_cast<double>(x) - static_cast<double>(row[v]));
    return 1 / sum;
}

/// What the contract allows for one row, given the target. `largest` and `logarithm` are those of the row.
struct RowBounds {
    explicit RowBounds(std::span<const float> logits)
        : row(logits), largest(*std::ranges::max_element(logits)),
          logarithm(std::log(static_cast<double>(logits.size()))) {}

    double down(std::size_t v) const { return largest - static_cast<double>(row[v]); }
    double loss(TokenId target) const {
        return u * (4 + 6 * logarithm + 3 * down(static_cast<std::size_t>(target)));
    }
    /// Of an element of dlogits, with one rounding of the expected value.
    double gradient(std::size_t v, double p, bool is_target, double counted) const {
        const double hit = is_target ? 1 : 0;
        const double spread = p > 0 ? p * (4 + logarithm + down(v)) : 0; // 0 times infinity would be NaN
        return (2 * u * (spread + 3 * hit) + u * (p + hit)) / counted + smallest_normal;
    }

    std::span<const float> row;
    double largest;
    double logarithm;
};

/// A table with `extra` padding rows, which hold what would win every argmax.
inline Dim padded_rows() {
    return Dim([](const Extents& size) { return size["V"] + size["W - V"]; });
}

inline Parameter<std::size_t> any_vocabulary() {
    return value<std::size_t>(
        "vocabulary",
        [](const Extents& size, Random&) {
            return Named<std::size_t>{std::to_string(size["V"]), size["V"]};
        },
        [](const Extents& size) {
            const std::size_t W = size["V"] + size["W - V"];
            return std::vector<Named<std::size_t>>{{"0", 0},
                                                   {"W", W},
                                                   {"W + 1", W + 1, true},
                                                   {"2^32 + V", (std::size_t{1} << 32) + size["V"], true},
                                                   {"2^64 - 1", ~std::size_t{0}, true}};
        },
        {{"vocabulary", [](const std::size_t& vocabulary) { return static_cast<double>(vocabulary); }}});
}

const std::vector<ExtentDomain> head_extents{{.name = "N", .ordinary = 3},
                                             {.name = "C", .ordinary = 4},
                                             {.name = "V", .ordinary = 5},
                                             {.name = "W - V", .ordinary = 2, .largest = 130}};
const Rule exact_sums{.kind = Rule::Kind::values, .tolerance = {}, .bounds = {}, .exact = {}};

inline Contents summands() {
    return {fractions(), {{"NaN and infinities", nan_and_infinity()}}};
}

inline auto adverse_logits() {
    return Adverse("tied_logits", subject::tied_logits, &reference::tied_logits, head_extents,
                   matrix_in("hidden", "N", "C", factors(fractions())),
                   matrix_in("wte", padded_rows(), "C", factors(small_integers()), Checked::cols),
                   any_vocabulary(), matrix_out("logits", "N", padded_rows()))
        .rule("logits", exact_sums);
}

inline auto adverse_hidden() {
    return Adverse("hidden_gradient", subject::hidden_gradient, &reference::hidden_gradient, head_extents,
                   matrix_in("dlogits", "N", padded_rows(), factors(fractions()), Checked::cols),
                   matrix_in("wte", padded_rows(), "C", factors(small_integers())), any_vocabulary(),
                   matrix_out("dhidden", "N", "C"))
        .rule("dhidden", exact_sums);
}

inline auto adverse_table() {
    return Adverse("table_gradient", subject::table_gradient, &reference::table_gradient, head_extents,
                   ids("ids", "N", "V"), matrix_in("dinput", "N", "C", summands(), Checked::rows),
                   matrix_in("hidden", "N", "C", factors(small_integers()), Checked::cols),
                   matrix_in("dlogits", "N", padded_rows(), factors(fractions()), Checked::all),
                   any_vocabulary(), matrix_sum("dwte", padded_rows(), "C", summands(), Checked::cols))
        .rule("dwte", exact_sums)
        .multiplied({"hidden"}, {"dlogits"})
        .exact("dwte", [](const Ids& ids, const auto&, const auto&, const auto&, std::size_t vocabulary,
                          const auto& dwte) {
            return [none = ids.empty(), vocabulary, C = dwte.cols](std::size_t i) {
                return none || i / C >= vocabulary;
            };
        });
}

inline Parameter<TokenId> any_ignored() {
    return value<TokenId>(
        "ignored",
        [](const Extents&, Random&) {
            return Named<TokenId>{"-1", nothing_ignored};
        },
        [](const Extents& size) {
            const auto V = static_cast<TokenId>(size["V"]);
            return std::vector<Named<TokenId>>{
                {"0", 0},       {"V - 1", V - 1},
                {"V", V},       {"2^31 - 1", std::numeric_limits<TokenId>::max()},
                {"-100", -100}, {"-2^31", std::numeric_limits<TokenId>::min()}};
        },
        {{"ignored", [](const TokenId& token) { return static_cast<double>(token); }}});
}

/// A row has at most 70,003 logits, so that the contract's bound is below 72 u, and 3 u times the distance of
/// the target from the largest logit. That is at most the loss, and at most 12 where numbers are neither huge
/// nor special.
inline void expect_loss_agrees(const Loss& got, const Loss& want) {
    expect_status(got.status, want.status);
    expect_equal("counted", got.counted, want.counted);
    const double loss = std::abs(want.mean), distance = loss > 24 ? loss : std::min(loss, 12.0);
    expect_close("the mean", std::vector<double>{got.mean}, std::vector<double>{want.mean},
                 {.abs = (72 + 3 * distance) * u});
}

inline auto adverse_loss() {
    const Fill impossible = [](Random& random) {
        return random.chance(0.2) ? -infinity : static_cast<float>(random.normal());
    };
    const Contents logits{normal(),
                          {{"values around 10,000", around(10'000)},
                           {"some NaN", some_nan()},
                           {"some infinities", some_infinities()},
                           {"some -infinity", impossible},
                           {"nothing but -infinity", constant(-infinity)}}};
    return Adverse("cross_entropy", subject::cross_entropy, &reference::cross_entropy,
                   {{.name = "N", .ordinary = 4}, {.name = "V", .ordinary = 5}},
                   matrix_in("logits", "N", "V", logits), ids("targets", "N", "V"), any_ignored(),
                   matrix_out("dlogits", "N", "V"))
        .result(expect_loss_agrees)
        .bounds("dlogits", [](const Matrix<const float>& logits, const Ids& targets, TokenId ignored,
                              const Matrix<float>& dlogits) {
            const std::size_t V = logits.cols;
            std::vector<double> bounds(dlogits.rows * dlogits.cols);
            const auto counted = static_cast<double>(
                std::ranges::count_if(targets, [&](TokenId target) { return target != ignored; }));
            for (std::size_t n = 0; n < std::min(targets.size(), logits.rows); ++n) {
                if (targets[n] == ignored || V != dlogits.cols || n >= dlogits.rows) continue;
                const RowBounds row(std::span<const float>(logits.row(n), V));
                double sum = 0;
                for (std::size_t v = 0; v < V; ++v)
                    sum += std::exp(-row.down(v));
                for (std::size_t v = 0; v < V; ++v)
                    bounds[n * V + v] =
                        row.gradient(v, std::exp(-row.down(v)) / sum, std::cmp_equal(targets[n], v), counted);
            }
            return bounds;
        });
}

const std::vector<ExtentDomain> factor_extents{{.name = "V", .ordinary = 6},
                                               {.name = "R", .ordinary = 3},
                                               {.name = "C", .ordinary = 5},
                                               {.name = "N", .ordinary = 4}};

inline auto adverse_gather() {
    return Adverse("factor_gather", subject::factor_gather, &reference::factor_gather, factor_extents,
                   matrix_in("a", "V", "R", factors(fractions()), Checked::cols),
                   matrix_in("b", "R", "C", factors(small_integers()), Checked::rows), ids("ids", "N", "V"),
                   matrix_out("out", "N", "C"))
        .rule("out", exact_sums);
}

inline auto adverse_factors() {
    return Adverse("factor_gradient", subject::factor_gradient, &reference::factor_gradient, factor_extents,
                   matrix_in("dout", "N", "C", factors(small_integers()), Checked::all),
                   matrix_in("a", "V", "R", factors(fractions()), Checked::cols),
                   matrix_in("b", "R", "C", factors(fractions())), ids("ids", "N", "V"),
                   matrix_sum("da", "V", "R", summands(), Checked::rows),
                   matrix_sum("db", "R", "C", summands(), Checked::cols))
        .rule("da", exact_sums)
        .rule("db", exact_sums)
        .multiplied({"dout"}, {"a", "b"})
        .exact("da",
               [](const auto&, const auto&, const auto&, const Ids& ids, const auto& da, const auto&) {
                   const std::set<TokenId> read(ids.begin(), ids.end());
                   return [read, R = da.cols](std::size_t i) {
                       return !std::in_range<TokenId>(i / R) || !read.contains(static_cast<TokenId>(i / R));
                   };
               })
        .exact("db", [](const auto&, const auto&, const auto&, const Ids& ids, const auto&, const auto&) {
            return [none = ids.empty()](std::size_t) { return none; };
        });
}

/// The statement's table: three tokens, and a padding row that would win every argmax.
inline Grid<float> small_table() {
    return Grid<float>(4, 2, {1, 0, 0, 1, 1, 1, 99, 99});
}

} // namespace suite

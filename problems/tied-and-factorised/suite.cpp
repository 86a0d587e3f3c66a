#include "harness/suite.h"
#include "harness/adversity/adverse.h"
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

namespace {

constexpr double u = 0x1p-24;
constexpr double smallest_normal = 0x1p-126;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr TokenId nothing_ignored = -1;

Grid<float> filled(std::size_t rows, std::size_t cols, float value) {
    Grid<float> grid(rows, cols);
    grid.fill(value);
    return grid;
}

/// Multiples of 1/64 in [-2, 2]: products of two of them are multiples of 2^-12, so that thousands add
/// exactly.
Grid<float> random_fractions(Random& random, std::size_t rows, std::size_t cols) {
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

double product(float a, float b) {
    return static_cast<double>(a) * static_cast<double>(b);
}

/// One row of logits, in double and from the definition: 1 / p[v] is the sum of exp(x[w] - x[v]) over w,
/// which needs no largest element.
double probability(std::span<const float> row, std::size_t v) {
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

/// Calls `cross_entropy` and compares all it gives with the definition, within the contract's bounds.
void expect_loss(const Grid<float>& logits, const std::vector<TokenId>& targets, TokenId ignored) {
    const std::size_t N = logits.rows(), V = logits.cols();
    const auto counted = static_cast<std::size_t>(
        std::ranges::count_if(targets, [&](TokenId target) { return target != ignored; }));
    const auto K = static_cast<double>(counted);
    Grid<float> dlogits(N, V);
    Grid<double> want(N, V), bound(N, V);
    want.fill(0);
    bound.fill(0);
    double mean = 0, mean_bound = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (targets[n] == ignored) continue;
        const auto target = static_cast<std::size_t>(targets[n]);
        mean -= std::log(probability(logits.row(n), target)) / K;
        const RowBounds bounds(logits.row(n));
        mean_bound += bounds.loss(targets[n]) / K;
        double p = 0;
        for (std::size_t v = 0; v < V; ++v) {
            if (v == 0 || logits(n, v) != logits(n, v - 1)) p = probability(logits.row(n), v);
            want(n, v) = (p - (v == target ? 1 : 0)) / K;
            bound(n, v) = bounds.gradient(v, p, v == target, K);
        }
    }
    const Loss loss = subject::cross_entropy(logits, targets, ignored, dlogits);
    expect_status(loss.status, Status{});
    expect_equal("counted", loss.counted, counted);
    expect_near("the mean", loss.mean, mean, mean_bound);
    expect_within("dlogits", dlogits, want, bound);
}

/// A table with `extra` padding rows, which hold what would win every argmax.
Dim padded_rows() {
    return Dim([](const Extents& size) { return size["V"] + size["W - V"]; });
}

Parameter<std::size_t> any_vocabulary() {
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

Contents summands() {
    return {fractions(), {{"NaN and infinities", nan_and_infinity()}}};
}

auto adverse_logits() {
    return Adverse("tied_logits", subject::tied_logits, &reference::tied_logits, head_extents,
                   matrix_in("hidden", "N", "C", factors(fractions())),
                   matrix_in("wte", padded_rows(), "C", factors(small_integers()), Checked::cols),
                   any_vocabulary(), matrix_out("logits", "N", padded_rows()))
        .rule("logits", exact_sums);
}

auto adverse_hidden() {
    return Adverse("hidden_gradient", subject::hidden_gradient, &reference::hidden_gradient, head_extents,
                   matrix_in("dlogits", "N", padded_rows(), factors(fractions()), Checked::cols),
                   matrix_in("wte", padded_rows(), "C", factors(small_integers())), any_vocabulary(),
                   matrix_out("dhidden", "N", "C"))
        .rule("dhidden", exact_sums);
}

auto adverse_table() {
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

Parameter<TokenId> any_ignored() {
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
void expect_loss_agrees(const Loss& got, const Loss& want) {
    expect_status(got.status, want.status);
    expect_equal("counted", got.counted, want.counted);
    const double loss = std::abs(want.mean), distance = loss > 24 ? loss : std::min(loss, 12.0);
    expect_close("the mean", std::vector<double>{got.mean}, std::vector<double>{want.mean},
                 {.abs = (72 + 3 * distance) * u});
}

auto adverse_loss() {
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

auto adverse_gather() {
    return Adverse("factor_gather", subject::factor_gather, &reference::factor_gather, factor_extents,
                   matrix_in("a", "V", "R", factors(fractions()), Checked::cols),
                   matrix_in("b", "R", "C", factors(small_integers()), Checked::rows), ids("ids", "N", "V"),
                   matrix_out("out", "N", "C"))
        .rule("out", exact_sums);
}

auto adverse_factors() {
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
Grid<float> small_table() {
    return Grid<float>(4, 2, {1, 0, 0, 1, 1, 1, 99, 99});
}

/// The mean loss of a model whose hidden states are the rows of its input table, in double.
double tied_loss(const Grid<double>& wte, std::size_t V, const std::vector<TokenId>& ids,
                 const std::vector<TokenId>& targets) {
    double sum = 0;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        const auto hidden = wte.row(static_cast<std::size_t>(ids[n]));
        std::vector<double> logits(V, 0);
        for (std::size_t v = 0; v < V; ++v)
            for (std::size_t c = 0; c < wte.cols(); ++c)
                logits[v] += hidden[c] * wte(v, c);
        double exponentials = 0;
        for (const double x : logits)
            exponentials += std::exp(x - logits[static_cast<std::size_t>(targets[n])]);
        sum += std::log(exponentials);
    }
    return sum / static_cast<double>(ids.size());
}

} // namespace

TEST_CASE("every token is scored by its own row") {
    Grid<float> logits(2, 4);
    expect_status(subject::tied_logits(Grid<float>(2, 2, {2, 1, -1, 3}), small_table(), 3, logits), Status{});
    expect_identical("logits", logits, Grid<float>(2, 4, {2, 1, 3, -infinity, -1, 3, 2, -infinity}));

    // Products and sums below the normal numbers are exact here, too.
    Grid<float> faint(2, 2, {0x2p-100F, 0x1p-100F, -0x1p-100F, 0x3p-100F}), table = small_table();
    for (float& each : table.cells())
        each *= 0x1p-40F;
    expect_status(subject::tied_logits(faint, table, 3, logits), Status{});
    expect_identical(
        "logits of tiny numbers", logits,
        Grid<float>(
            2, 4, {0x2p-140F, 0x1p-140F, 0x3p-140F, -infinity, -0x1p-140F, 0x3p-140F, 0x2p-140F, -infinity}));
    expect_status(subject::tied_logits(Grid<float>(2, 2, {2, 1, -1, 3}), small_table(), 3, logits), Status{});

    Grid<float> apart(2, 2, 5),
        again(2, 4); // the same hidden states, in a matrix that is part of a wider one
    std::ranges::copy(std::vector<float>{2, 1}, apart.row(0).begin());
    std::ranges::copy(std::vector<float>{-1, 3}, apart.row(1).begin());
    subject::tied_logits(apart, small_table(), 3, again);
    expect_identical("logits of rows that lie apart", again, logits);

    // More channels than tokens, and the other way round: a transposed reading fits neither.
    Grid<float> wide(1, 2), tall(1, 3);
    subject::tied_logits(Grid<float>(1, 3, {1, 10, 100}), Grid<float>(2, 3, {1, 2, 3, 4, 5, 6}), 2, wide);
    expect_identical("logits of two tokens with three channels", wide, Grid<float>(1, 2, {321, 654}));
    subject::tied_logits(Grid<float>(1, 2, {1, 10}), Grid<float>(3, 2, {1, 2, 3, 4, 5, 6}), 3, tall);
    expect_identical("logits of three tokens with two channels", tall, Grid<float>(1, 3, {21, 43, 65}));
}

TEST_CASE("the head follows the table from step to step") {
    Grid<float> wte = small_table();
    const Grid<float> hidden(1, 2, {2, 1});
    Grid<float> first(1, 4), second(1, 4);
    expect_status(subject::tied_logits(hidden, wte, 3, first), Status{});
    expect_identical("logits before the step", first, Grid<float>(1, 4, {2, 1, 3, -infinity}));
    wte(1, 0) += 4; // a step of the optimiser, in place
    expect_status(subject::tied_logits(hidden, wte, 3, second), Status{});
    expect_identical("logits after the step", second, Grid<float>(1, 4, {2, 9, 3, -infinity}));
}

TEST_CASE("the model gets its gradient through the same rows") {
    // dlogits (1, -2, 0.5) times rows (1, 0), (0, 1), (1, 1); the padding row counts for nothing, whatever it
    // holds.
    Grid<float> dhidden(2, 2);
    expect_status(subject::hidden_gradient(Grid<float>(2, 4, {1, -2, 0.5, not_a_number, 0, 4, 0.25, 7}),
                                           small_table(), 3, dhidden),
                  Status{});
    expect_identical("dhidden", dhidden, Grid<float>(2, 2, {1.5, -1.5, 0.25, 4.25}));
}

TEST_CASE("the table collects from both its ends") {
    // Head: dlogits^T hidden. Position 0 gives 1, -2, 0.5 times (2, 1), position 1 gives 0, 4, 0 times (-1,
    // 3). Lookup: token 2 was read twice and collects (10, 20) and (100, 200).
    Grid<float> dwte = filled(4, 2, 0);
    const std::vector<TokenId> ids{2, 2};
    expect_status(subject::table_gradient(ids, Grid<float>(2, 2, {10, 20, 100, 200}),
                                          Grid<float>(2, 2, {2, 1, -1, 3}),
                                          Grid<float>(2, 4, {1, -2, 0.5, 0, 0, 4, 0, 0}), 3, dwte),
                  Status{});
    expect_identical("dwte", dwte, Grid<float>(4, 2, {2, 1, -8, 10, 111, 220.5, 0, 0}));
}

TEST_CASE("gradients are added to what is there") {
    Random random = constructed();
    const std::vector<TokenId> ids{1, 0, 1};
    const auto dinput = random_fractions(random, 3, 4), hidden = random_fractions(random, 3, 4);
    const auto dlogits = random_fractions(random, 3, 5);
    Grid<float> once = filled(5, 4, 0), twice = filled(5, 4, 0);
    expect_status(subject::table_gradient(ids, dinput, hidden, dlogits, 5, once), Status{});
    for (int call = 0; call < 2; ++call)
        subject::table_gradient(ids, dinput, hidden, dlogits, 5, twice);
    for (float& value : once.cells())
        value *= 2;
    expect_identical("dwte after two equal calls, against twice the first", twice, once);

    const auto dout = random_fractions(random, 3, 4), a = random_fractions(random, 2, 3);
    const auto b = random_fractions(random, 3, 4);
    Grid<float> da = filled(2, 3, 0), db = filled(3, 4, 0), da2 = filled(2, 3, 0), db2 = filled(3, 4, 0);
    expect_status(subject::factor_gradient(dout, a, b, ids, da, db), Status{});
    for (int call = 0; call < 2; ++call)
        subject::factor_gradient(dout, a, b, ids, da2, db2);
    for (Grid<float>* each : {&da, &db})
        for (float& value : each->cells())
            value *= 2;
    expect_identical("da after two equal calls, against twice the first", da2, da);
    expect_identical("db after two equal calls, against twice the first", db2, db);
}

TEST_CASE("padding rows never win and never learn") {
    // 50 tokens in a table of 64 rows; the padding rows are far closer to every hidden state than any token.
    Random random = constructed();
    constexpr std::size_t N = 5, V = 50, W = 64, C = 8;
    auto wte = random_grid<float>(random, W, C);
    const auto hidden = random_grid<float>(random, N, C);
    for (std::size_t v = V; v < W; ++v)
        for (std::size_t c = 0; c < C; ++c)
            wte(v, c) = 100 * hidden(v % N, c);
    Grid<float> logits(N, W), dlogits(N, W), dwte = filled(W, C, 0);
    expect_status(subject::tied_logits(hidden, wte, V, logits), Status{});
    for (std::size_t n = 0; n < N; ++n)
        expect_true("the largest logit is a token's",
                    std::ranges::max_element(logits.row(n)) - logits.row(n).begin() < std::ptrdiff_t{V});

    const std::vector<TokenId> targets = random_ids(random, N, V);
    const Loss loss = subject::cross_entropy(logits, targets, nothing_ignored, dlogits);
    double mean = 0, bound = 0;
    for (std::size_t n = 0; n < N; ++n) {
        const auto tokens = std::span<const float>(logits.row(n)).first(V);
        mean -= std::log(probability(tokens, static_cast<std::size_t>(targets[n]))) / N;
        bound += RowBounds(tokens).loss(targets[n]) / N + 2 * u; // ln 64 instead of ln 50
    }
    expect_near("the mean, of 50 tokens", loss.mean, mean, bound);
    for (std::size_t n = 0; n < N; ++n)
        for (std::size_t v = V; v < W; ++v)
            expect_equal("the gradient of a padding row's logit", dlogits(n, v), 0.0F);

    for (std::size_t v = V; v < W; ++v)
        dwte(v, 0) = std::bit_cast<float>(0x7fc12345U), dwte(v, 1) = -0.0F;
    const Grid<float> before = dwte;
    expect_status(subject::table_gradient(targets, hidden, hidden, dlogits, V, dwte), Status{});
    for (std::size_t v = V; v < W; ++v)
        expect_identical("dwte of a padding row", dwte.row(v), before.row(v));
}

TEST_CASE("two logits by hand") {
    // p = (1/4, 3/4) for logits (0, ln 3). The loss of token 0 is ln 4; its gradient is (-3/4, 3/4).
    const float ln3 = std::log(3.0F);
    Grid<float> dlogits(1, 2);
    const Loss loss = subject::cross_entropy(Grid<float>(1, 2, {0, ln3}), std::vector<TokenId>{0},
                                             nothing_ignored, dlogits);
    expect_status(loss.status, Status{});
    expect_equal("counted", loss.counted, std::size_t{1});
    expect_near("the mean", loss.mean, std::log(4.0), 16 * u);
    expect_close("dlogits", dlogits, Grid<float>(1, 2, {-0.75F, 0.75F}), {.abs = 16 * u});
}

TEST_CASE("uniform logits give the logarithm of the vocabulary") {
    struct Row {
        std::size_t vocabulary;
        double published; ///< to four places
    };
    for (const auto& [V, published] :
         {Row{1, 0}, {2, 0.6931}, {256, 5.5452}, {10'000, 9.2103}, {50'257, 10.8249}})
        for (const float logit : {0.0F, 7.0F, -10'000.0F}) {
            INFO("V = ", V, ", all logits ", logit);
            const std::vector<TokenId> targets{static_cast<TokenId>(V - 1), 0};
            Grid<float> dlogits(2, V);
            const Loss loss = subject::cross_entropy(filled(2, V, logit), targets, nothing_ignored, dlogits);
            const double exact = std::log(static_cast<double>(V));
            expect_near("the mean, against the published figure", loss.mean, published, 6e-5);
            expect_near("the mean, against ln V", loss.mean, exact, u * (4 + 6 * exact));
        }
}

TEST_CASE("logits of ten thousand are as good as others") {
    expect_loss(Grid<float>(3, 3, {10'000, 9'999, 9'998, -10'000, -10'001, -10'000.5, 10'000, 0, -10'000}),
                {1, 1, 0}, nothing_ignored);
    constexpr float largest = std::numeric_limits<float>::max();
    expect_loss(Grid<float>(4, 3,
                            {-2e30F, -2e30F, -2e30F, 3e30F, 2.9e30F, 3e30F, -largest, -largest, -largest,
                             largest, largest, largest}),
                {0, 2, 1, 1}, nothing_ignored);
    Grid<float> dlogits(2, 2);
    const Loss loss = subject::cross_entropy(Grid<float>(2, 2, {10'000, -10'000, 88, 89}),
                                             std::vector<TokenId>{1, 1}, nothing_ignored, dlogits);
    expect_near("the mean, of 20,000 and ln(1 + 1/e)", loss.mean, (20'000 + std::log1p(std::exp(-1.0))) / 2,
                u * (4 + 6 * std::log(2.0) + 3 * 10'000));
}

TEST_CASE("adding a number to a row changes nothing") {
    Random random = constructed();
    const auto logits = random_fractions(random, 4, 9);
    const std::vector<TokenId> targets = random_ids(random, 4, 9);
    Grid<float> dlogits(4, 9), moved(4, 9);
    const Loss loss = subject::cross_entropy(logits, targets, nothing_ignored, dlogits);
    for (const float by : {1'000.0F, -1'000.0F, 100'000.0F}) {
        INFO("added: ", by);
        Grid<float> shifted = logits; // multiples of 1/64 below 2^17 are floats, so nothing is rounded here
        for (float& value : shifted.cells())
            value += by;
        const Loss again = subject::cross_entropy(shifted, targets, nothing_ignored, moved);
        const double bound = u * (4 + 6 * std::log(9.0) + 3 * 4); // of either
        expect_near("the mean", again.mean, loss.mean, 2 * bound);
        expect_loss(shifted, targets, nothing_ignored);
    }
}

TEST_CASE("ignored positions do not count") {
    // Two positions with uniform logits count, two that would cost much do not.
    const Grid<float> logits(4, 2, {0, 0, 50, -50, not_a_number, infinity, 3, 3});
    Grid<float> dlogits(4, 2);
    const Loss loss = subject::cross_entropy(logits, std::vector<TokenId>{0, -100, -100, 1}, -100, dlogits);
    expect_status(loss.status, Status{});
    expect_equal("counted", loss.counted, std::size_t{2});
    expect_near("the mean", loss.mean, std::log(2.0), 10 * u);
    expect_close("dlogits", dlogits, Grid<float>(4, 2, {-0.25F, 0.25F, 0, 0, 0, 0, 0.25F, -0.25F}),
                 {.abs = 10 * u});

    // A token of the vocabulary may be the ignored one, such as padding.
    Random random = constructed();
    expect_loss(random_grid<float>(random, 6, 4), {0, 3, 0, 1, 2, 0}, 0);
}

TEST_CASE("with nothing to count the loss is zero") {
    for (const std::size_t N : {0, 1, 3}) {
        INFO("N = ", N);
        Grid<float> dlogits(N, 4);
        const Loss loss =
            subject::cross_entropy(filled(N, 4, not_a_number), std::vector<TokenId>(N, 9), 9, dlogits);
        expect_status(loss.status, Status{});
        expect_equal("counted", loss.counted, std::size_t{0});
        expect_equal("the mean", loss.mean, 0.0);
        expect_close("dlogits", dlogits, filled(N, 4, 0), {});
    }
}

TEST_CASE("a factorised table gives rows of the product") {
    // a b = (1 2 3), (10 20 30), (11 22 33): a table of rank 2 whose last row is the sum of the others.
    const Grid<float> a(3, 2, {1, 0, 0, 10, 1, 10}), b(2, 3, {1, 2, 3, 1, 2, 3});
    Grid<float> out(4, 3);
    const std::vector<TokenId> ids{2, 0, 2, 1};
    expect_status(subject::factor_gather(a, b, ids, out), Status{});
    expect_identical("out", out, Grid<float>(4, 3, {11, 22, 33, 1, 2, 3, 11, 22, 33, 10, 20, 30}));

    // With R = C and the identity as b, a is the plain table.
    Random random = constructed();
    const auto table = random_grid<float>(random, 5, 4);
    Grid<float> identity = filled(4, 4, 0), rows(5, 4);
    for (std::size_t c = 0; c < 4; ++c)
        identity(c, c) = 1;
    subject::factor_gather(table, identity, std::vector<TokenId>{0, 1, 2, 3, 4}, rows);
    expect_identical("rows of the plain table", rows, table);
}

TEST_CASE("both factors get their gradient") {
    // da[v] += dout b^T: token 1 was read twice. db += a[ids]^T dout.
    const Grid<float> a(2, 1, {3, 5}), b(1, 2, {1, 10});
    Grid<float> da = filled(2, 1, 0), db = filled(1, 2, 0);
    const std::vector<TokenId> ids{1, 1, 0};
    expect_status(subject::factor_gradient(Grid<float>(3, 2, {1, 0, 0, 1, 2, 2}), a, b, ids, da, db),
                  Status{});
    expect_identical("da", da, Grid<float>(2, 1, {22, 11}));
    expect_identical("db", db, Grid<float>(1, 2, {11, 11}));

    const float kept = -0.0F; // even adding 0 would change it
    Grid<float> unread = filled(1, 2, kept);
    expect_status(subject::factor_gradient(Grid<float>(0, 2), a, b, {}, da, unread), Status{});
    expect_identical("db without a position", unread, filled(1, 2, kept));

    Grid<float> wide = filled(4, 1, kept);
    db.fill(0);
    subject::factor_gradient(Grid<float>(1, 2, {1, 1}), Grid<float>(4, 1, {1, 2, 3, 4}), b,
                             std::vector<TokenId>{2}, wide, db);
    for (const std::size_t v : {0, 1, 3})
        expect_identical("da of a token that was not read", wide.row(v), filled(1, 1, kept).row(0));
}

TEST_CASE("what GPT-2 saves is counted exactly") {
    const TableCounts small =
        subject::count({.vocabulary = 50'257, .channels = 768, .rank = 128, .others = 85'842'432});
    expect_equal("tied", small.tied, std::uint64_t{124'439'808});
    expect_equal("untied", small.untied, std::uint64_t{163'037'184});
    expect_equal("untied - tied", small.untied - small.tied, std::uint64_t{38'597'376});
    expect_near("saved_share, 23.7 %", small.saved_share, 0.237, 0.0005);
    expect_near("saved_share", small.saved_share, 38'597'376.0 / 163'037'184.0, 0x1p-50);
    expect_equal("factorised, rank 128", small.factorised, std::uint64_t{6'531'200});
    expect_equal("max_rank", small.max_rank, std::uint64_t{756});
    // XL: 1,557,611,200 parameters, of which 50,257 * 1,600 in the token table.
    const TableCounts xl = subject::count(
        {.vocabulary = 50'257, .channels = 1'600, .rank = 1'550, .others = 1'557'611'200 - 80'411'200});
    expect_equal("tied, XL", xl.tied, std::uint64_t{1'557'611'200});
    expect_equal("untied, XL", xl.untied, std::uint64_t{1'638'022'400});
    expect_equal("max_rank, XL", xl.max_rank, std::uint64_t{1'550});
    expect_true("rank 1,550 still saves", xl.factorised < 80'411'200);
}

TEST_CASE("the rank at which nothing is saved any more") {
    struct Row {
        std::uint64_t vocabulary, channels, rank;
    };
    // V C / (V + C) is 756.4, 2, 1, 1.5, 1/2, 4, 192: where it is whole, that rank costs as much as the
    // table.
    for (const auto& [V, C, rank] : {Row{50'257, 768, 756},
                                     {4, 4, 1},
                                     {2, 2, 0},
                                     {3, 3, 1},
                                     {1, 1, 0},
                                     {20, 5, 3},
                                     {256, 768, 191},
                                     {1, 1'000, 0},
                                     {1'000'001, 1'000'001'000'001, 1'000'000}, // 1 / 1,000,001 above
                                     {3'037'000'499, 3'037'000'499, 1'518'500'249},
                                     {0, 0, 0},
                                     {0, 8, 0},
                                     {8, 0, 0}}) {
        INFO("V = ", V, ", C = ", C);
        const TableCounts counts = subject::count({.vocabulary = V, .channels = C, .rank = rank});
        expect_equal("max_rank", counts.max_rank, rank);
        expect_equal("factorised", counts.factorised, rank * (V + C));
        expect_equal("saved_share", counts.saved_share, V * C == 0 ? 0.0 : 0.5);
    }
    const std::uint64_t huge = std::uint64_t{1} << 31;
    const TableCounts counts = subject::count({.vocabulary = huge, .channels = huge, .rank = 3, .others = 7});
    expect_equal("untied, of two tables of 2^62", counts.untied, (std::uint64_t{1} << 63) + 7);
    expect_equal("max_rank, for 2^62 parameters", counts.max_rank, (std::uint64_t{1} << 30) - 1);
    expect_equal("saved_share without any parameter", subject::count({.rank = 5}).saved_share, 0.0);
}

TEST_CASE("what does not fit is refused in the order of the contract") {
    const Status mismatch{Code::shape_mismatch}, too_large{Code::invalid_argument, 0, 5, 4};
    const std::vector<TokenId> good{0, 2}, bad{0, 3}, worse{-1, 9};
    const Grid<float> two(2, 2, {1, 2, 3, 4}), three(2, 3, {1, 2, 3, 4, 5, 6}), four = filled(2, 4, 1);
    const auto refused_logits = [&](const Grid<float>& hidden, std::size_t V, std::size_t rows,
                                    std::size_t cols, Status status) {
        Grid<float> logits(rows, cols);
        expect_status(subject::tied_logits(hidden, small_table(), V, logits), status);
        expect_untouched("logits", logits);
    };
    refused_logits(three, 9, 2, 4, mismatch);
    refused_logits(two, 9, 2, 3, mismatch);
    refused_logits(two, 9, 1, 4, mismatch);
    refused_logits(two, 5, 2, 4, too_large);

    Grid<float> dhidden(2, 2);
    expect_status(subject::hidden_gradient(three, small_table(), 9, dhidden), mismatch);
    expect_status(subject::hidden_gradient(four, small_table(), 5, dhidden), too_large);
    expect_untouched("dhidden", dhidden);

    const auto refused_table = [&](const std::vector<TokenId>& ids, const Grid<float>& dinput,
                                   const Grid<float>& dlogits, std::size_t V, Status status) {
        Grid<float> dwte = filled(4, 2, 5);
        expect_status(subject::table_gradient(ids, dinput, two, dlogits, V, dwte), status);
        expect_identical("dwte", dwte, filled(4, 2, 5));
    };
    for (const std::size_t rows : {3, 5}) {
        Grid<float> dwte = filled(rows, 2, 5), right = filled(4, 2, 5);
        expect_status(subject::table_gradient(worse, two, two, four, 9, dwte), mismatch);
        expect_identical("dwte", dwte, filled(rows, 2, 5));
        expect_status(subject::table_gradient(worse, two, filled(rows, 2, 1), four, 9, right), mismatch);
        expect_identical("dwte", right, filled(4, 2, 5));
    }
    refused_table(worse, three, four, 9, mismatch);
    refused_table(worse, two, three, 9, mismatch);
    refused_table({0}, two, four, 9, mismatch);
    refused_table(worse, two, four, 5, too_large);
    refused_table(worse, two, four, 3, Status{Code::id_out_of_range, 0, -1, 3});
    refused_table(bad, two, four, 3, Status{Code::id_out_of_range, 1, 3, 3}); // a padding row is no token

    const auto refused_loss = [&](const std::vector<TokenId>& targets, std::size_t cols, Status status) {
        Grid<float> dlogits(2, cols);
        expect_equal("what is returned", subject::cross_entropy(three, targets, 7, dlogits) == Loss{status},
                     true);
        expect_untouched("dlogits", dlogits);
    };
    refused_loss(worse, 2, mismatch);
    refused_loss({0, 1, 2}, 3, mismatch);
    refused_loss(worse, 3, Status{Code::id_out_of_range, 0, -1, 3});
    refused_loss({7, 3}, 3, Status{Code::id_out_of_range, 1, 3, 3});
    refused_loss({2, 8}, 3, Status{Code::id_out_of_range, 1, 8, 3});
    refused_loss({2, -100}, 3, Status{Code::id_out_of_range, 1, -100, 3}); // PyTorch's ignored target

    Grid<float> out(2, 3), da = filled(3, 2, 5), db = filled(2, 3, 5);
    const Grid<float> a = filled(3, 2, 1);
    expect_status(subject::factor_gather(a, filled(3, 3, 1), worse, out), mismatch);
    expect_status(subject::factor_gather(a, three, worse, out), Status{Code::id_out_of_range, 0, -1, 3});
    expect_status(subject::factor_gather(a, three, bad, out), Status{Code::id_out_of_range, 1, 3, 3});
    expect_untouched("out", out);
    expect_status(subject::factor_gradient(two, a, three, worse, da, db), mismatch);
    expect_status(subject::factor_gradient(three, a, filled(3, 3, 1), worse, da, db), mismatch);
    Grid<float> wide = filled(3, 3, 5), square = filled(3, 3, 5);
    expect_status(subject::factor_gradient(three, a, three, worse, wide, db), mismatch);
    expect_status(subject::factor_gradient(three, a, three, worse, da, square), mismatch);
    expect_status(subject::factor_gradient(three, a, three, bad, da, db),
                  Status{Code::id_out_of_range, 1, 3, 3});
    expect_identical("da", da, filled(3, 2, 5));
    expect_identical("db", db, filled(2, 3, 5));
}

TEST_CASE("random heads stay within their rounding") {
    for_random_sizes(
        8, {{"N", 1, 7}, {"V", 1, 40}, {"extra", 0, 5}, {"C", 1, 50}}, [](const Sizes& size, Random& random) {
            const std::size_t N = size["N"], V = size["V"], W = V + size["extra"], C = size["C"];
            const auto wte = random_grid<float>(random, W, C), hidden = spread_grid(random, N, C);
            const auto dlogits = spread_grid(random, N, W), dinput = random_grid<float>(random, N, C);
            const auto ids = random_ids(random, N, V);
            const auto before = random_grid<float>(random, W, C);
            Sums want_logits(N, W), want_hidden(N, C), want_table(W, C);
            Grid<double> roundings(W, C);
            roundings.fill(static_cast<double>(N + 3));
            want_table.add(before);
            for (std::size_t n = 0; n < N; ++n)
                for (std::size_t c = 0; c < C; ++c) {
                    const auto id = static_cast<std::size_t>(ids[n]);
                    want_table.add(id, c, dinput(n, c));
                    ++roundings(id, c);
                    for (std::size_t v = 0; v < V; ++v) {
                        want_logits.add(n, v, product(hidden(n, c), wte(v, c)));
                        want_hidden.add(n, c, product(dlogits(n, v), wte(v, c)));
                        want_table.add(v, c, product(dlogits(n, v), hidden(n, c)));
                    }
                }
            for (std::size_t n = 0; n < N; ++n)
                for (std::size_t v = V; v < W; ++v)
                    want_logits.want(n, v) = -static_cast<double>(infinity);
            Grid<float> logits(N, W), dhidden(N, C), dwte = before;
            expect_status(subject::tied_logits(hidden, wte, V, logits), Status{});
            want_logits.expect("logits", logits, C + 1);
            expect_status(subject::hidden_gradient(dlogits, wte, V, dhidden), Status{});
            want_hidden.expect("dhidden", dhidden, V + 1);
            expect_status(subject::table_gradient(ids, dinput, hidden, dlogits, V, dwte), Status{});
            want_table.expect("dwte", dwte, roundings);
        });
}

TEST_CASE("random losses stay within their rounding") {
    for_random_sizes(8, {{"N", 1, 9}, {"V", 1, 60}, {"spread", 1, 40}},
                     [](const Sizes& size, Random& random) {
                         auto logits = random_grid<float>(random, size["N"], size["V"]);
                         for (float& value : logits.cells())
                             value *= static_cast<float>(size["spread"]);
                         auto targets = random_ids(random, size["N"], size["V"]);
                         for (TokenId& target : targets)
                             if (random.chance(0.2)) target = -7;
                         expect_loss(logits, targets, -7);
                     });
    // Thousands of positions with one loss: the sum over them has few bits left for each where it is a float.
    for (const std::size_t N : {1'025, 4'097, 20'000}) {
        INFO(N, " equal rows");
        Grid<float> logits(N, 3);
        for (std::size_t n = 0; n < N; ++n)
            std::ranges::copy(std::vector<float>{0.3F, -0.7F, 1.1F}, logits.row(n).begin());
        expect_loss(logits, std::vector<TokenId>(N, 1), -7);
    }
    // Probabilities around the smallest normal number, 2^-126, are not nothing.
    expect_loss(Grid<float>(1, 6, {0, -86.9F, -87.1F, -87.2F, -87.3F, -88}), {0}, -7);
    // Exponentials that have no double, or whose sum has none.
    for (const float all : {88.0F, 89.0F, 128.0F, 699.9F, 700.0F, 709.0F, 710.0F, -700.0F, -750.0F}) {
        INFO("all of 40,000 logits are ", all);
        expect_loss(filled(1, 40'000, all), {39'999}, -7);
    }
    // Where most tokens are impossible, whole parts of a row hold nothing else.
    Random random = constructed();
    for (const auto& [all, first] : {std::pair<std::size_t, std::size_t>{1'000, 900},
                                     {1'000, 450},
                                     {1'000, 0},
                                     {9'000, 8'200},
                                     {9'000, 4'096},
                                     {9'000, 0}}) {
        INFO("all but 100 of ", all, " logits are -infinity, those from ", first, " on are not");
        Grid<float> logits = filled(2, all, -infinity);
        for (std::size_t n = 0; n < 2; ++n)
            for (std::size_t v = first; v < first + 100; ++v)
                logits(n, v) = static_cast<float>(random.normal());
        expect_loss(logits, {static_cast<TokenId>(first + 99), static_cast<TokenId>(first)}, -7);
    }
}

TEST_CASE("random factors stay within their rounding") {
    for_random_sizes(
        8, {{"V", 1, 9}, {"R", 1, 20}, {"C", 1, 30}, {"N", 1, 9}}, [](const Sizes& size, Random& random) {
            const std::size_t V = size["V"], R = size["R"], C = size["C"], N = size["N"];
            const auto a = random_grid<float>(random, V, R), b = random_grid<float>(random, R, C);
            const auto dout = spread_grid(random, N, C);
            const auto ids = random_ids(random, N, V);
            Grid<float> out(N, C), da = random_grid<float>(random, V, R),
                                   db = random_grid<float>(random, R, C);
            Sums want_out(N, C), want_da(V, R), want_db(R, C);
            Grid<double> roundings(V, R);
            roundings.fill(3);
            want_da.add(da);
            want_db.add(db);
            for (std::size_t n = 0; n < N; ++n)
                for (std::size_t r = 0; r < R; ++r) {
                    const auto id = static_cast<std::size_t>(ids[n]);
                    roundings(id, r) += static_cast<double>(C);
                    for (std::size_t c = 0; c < C; ++c) {
                        want_out.add(n, c, product(a(id, r), b(r, c)));
                        want_da.add(id, r, product(dout(n, c), b(r, c)));
                        want_db.add(r, c, product(a(id, r), dout(n, c)));
                    }
                }
            expect_status(subject::factor_gather(a, b, ids, out), Status{});
            want_out.expect("out", out, R + 1);
            expect_status(subject::factor_gradient(dout, a, b, ids, da, db), Status{});
            want_da.expect("da", da, roundings);
            want_db.expect("db", db, N + 3);
        });
}

TEST_CASE("finite differences through both ends") {
    // The smallest tied model: what the lookup gives goes straight into the head. Losses of a few units have
    // central differences with steps of 1e-5 that are exact to 1e-9; the floats on the way add some 1e-6.
    Random random = harness::random();
    constexpr std::size_t V = 5, W = 7, C = 3;
    const auto wte = random_grid<float>(random, W, C);
    const std::vector<TokenId> ids{4, 0, 4, 2}, targets{0, 1, 1, 4}; // token 3 is neither read nor wanted
    Grid<float> hidden(ids.size(), C), logits(ids.size(), W), dlogits(ids.size(), W), dhidden(ids.size(), C);
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::ranges::copy(wte.row(static_cast<std::size_t>(ids[n])), hidden.row(n).begin());
    subject::tied_logits(hidden, wte, V, logits);
    const Loss loss = subject::cross_entropy(logits, targets, nothing_ignored, dlogits);
    subject::hidden_gradient(dlogits, wte, V, dhidden);
    Grid<float> dwte = filled(W, C, 0);
    expect_status(subject::table_gradient(ids, dhidden, hidden, dlogits, V, dwte), Status{});

    Grid<double> weights(W, C), want(W, C);
    std::ranges::copy(wte.cells(), weights.cells().begin());
    expect_near("the mean", loss.mean, tied_loss(weights, V, ids, targets), 1e-5);
    constexpr double step = 1e-5;
    for (std::size_t i = 0; i < weights.cells().size(); ++i) {
        const double at = weights.cells()[i];
        weights.cells()[i] = at + step;
        const double above = tied_loss(weights, V, ids, targets);
        weights.cells()[i] = at - step;
        const double below = tied_loss(weights, V, ids, targets);
        weights.cells()[i] = at;
        want.cells()[i] = (above - below) / (2 * step);
    }
    expect_close("dwte", dwte, want, {.abs = 2e-5});
    expect_true("the row of a token that was neither read nor wanted moves, too",
                std::ranges::any_of(dwte.row(3), [](float g) { return g != 0; }));
}

TEST_CASE("the gradients are the adjoints of the products") {
    // <J x, g> = <x, J^T g>, with fractions that multiply and add exactly in float: both sides are equal.
    Random random = harness::random();
    const auto inner = [](const Grid<float>& a, const Grid<float>& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.cells().size(); ++i)
            sum += product(a.cells()[i], b.cells()[i]);
        return sum;
    };
    const auto wte = random_fractions(random, 6, 4), hidden = random_fractions(random, 3, 4);
    const auto g = random_fractions(random, 3, 6), nothing = filled(3, 4, 0);
    Grid<float> logits(3, 6), dhidden(3, 4), dwte = filled(6, 4, 0);
    subject::tied_logits(hidden, wte, 6, logits);
    subject::hidden_gradient(g, wte, 6, dhidden);
    subject::table_gradient(std::vector<TokenId>{0, 1, 2}, nothing, hidden, g, 6, dwte);
    expect_near("<hidden, dhidden>, which is <logits, g>", inner(hidden, dhidden), inner(logits, g), 0);
    expect_near("<wte, dwte>, which is <logits, g>", inner(wte, dwte), inner(logits, g), 0);

    const auto a = random_fractions(random, 5, 3), b = random_fractions(random, 3, 4);
    const auto dout = random_fractions(random, 6, 4);
    const std::vector<TokenId> ids{4, 0, 4, 1, 2, 4};
    Grid<float> out(6, 4), da = filled(5, 3, 0), db = filled(3, 4, 0);
    subject::factor_gather(a, b, ids, out);
    subject::factor_gradient(dout, a, b, ids, da, db);
    expect_near("<a, da>, which is <out, dout>", inner(a, da), inner(out, dout), 0);
    expect_near("<b, db>, which is <out, dout>", inner(b, db), inner(out, dout), 0);
}

TEST_CASE("a row of the loss's gradient sums to zero") {
    // The probabilities sum to 1, and the target takes 1 away. Each element is within the contract's bound.
    Random random = constructed();
    for (const std::size_t V : {2, 3, 17, 300}) {
        INFO("V = ", V);
        const auto logits = random_grid<float>(random, 3, V);
        const auto targets = random_ids(random, 3, V);
        Grid<float> dlogits(3, V);
        subject::cross_entropy(logits, targets, nothing_ignored, dlogits);
        for (std::size_t n = 0; n < 3; ++n) {
            const RowBounds bounds(logits.row(n));
            double sum = 0, bound = 0;
            for (std::size_t v = 0; v < V; ++v) {
                sum += static_cast<double>(dlogits(n, v));
                bound += bounds.gradient(v, probability(logits.row(n), v), std::cmp_equal(targets[n], v), 3);
            }
            expect_near("the sum of a row", sum, 0, bound);
        }
    }
}

TEST_CASE("every function at every boundary of its sizes") {
    adverse_logits().also({{{"V", 50'257}, {"C", 4}, {"N", 2}, {"W - V", 47}}}).sizes();
    adverse_hidden().also({{{"V", 50'257}, {"C", 4}, {"N", 2}, {"W - V", 47}}}).sizes();
    adverse_table().also({{{"V", 50'257}, {"C", 4}, {"N", 2}, {"W - V", 47}}}).sizes();
    adverse_loss().also({{{"V", 50'257}, {"N", 3}}}).sizes();
    // The product of the second pair of factors has more elements than there is memory.
    const std::initializer_list<Extents> large_factors{{{"V", 50'257}, {"R", 128}, {"C", 9}, {"N", 5}},
                                                       {{"V", 60'000}, {"R", 1}, {"C", 60'000}, {"N", 2}}};
    adverse_gather().also(large_factors).sizes();
    adverse_factors().also(large_factors).sizes();
}

TEST_CASE("every function where rows lie apart") {
    adverse_logits().gaps();
    adverse_hidden().gaps();
    adverse_table().gaps();
    adverse_loss().gaps();
    adverse_gather().gaps();
    adverse_factors().gaps();
}

TEST_CASE("every function with empty axes") {
    adverse_logits().empty_axes();
    adverse_hidden().empty_axes();
    adverse_table().empty_axes();
    adverse_loss().empty_axes();
    adverse_gather().empty_axes();
    adverse_factors().empty_axes();
}

TEST_CASE("every function with special values and refusals") {
    // A position without a gradient is not left out: 0 times infinity is NaN, for each token.
    constexpr std::size_t tokens = 70;
    Grid<float> hidden(2, 2, {infinity, 1, 2, 3}), dlogits = filled(2, tokens, 0),
                                                   dwte = filled(tokens, 2, 0);
    std::ranges::fill(dlogits.row(1), 1.0F);
    expect_status(
        subject::table_gradient(std::vector<TokenId>{0, 1}, filled(2, 2, 0), hidden, dlogits, tokens, dwte),
        Status{});
    for (std::size_t v = 0; v < tokens; ++v) {
        expect_true("0 times infinity is NaN", is_own_nan(dwte(v, 0)));
        expect_equal("a gradient beside it", dwte(v, 1), 3.0F);
    }
    // The number of an id and a place, as one number, needs more than 32 bits.
    constexpr std::size_t V = 70'001, N = 70'003;
    std::vector<TokenId> ids(N);
    Grid<float> a(V, 1), dout(N, 1), da = filled(V, 1, 0), db = filled(1, 1, 0);
    for (std::size_t n = 0; n < N; ++n) {
        ids[n] = static_cast<TokenId>(V - 1 - n * 7'919 % 65'537);
        dout(n, 0) = static_cast<float>(n % 4);
    }
    for (std::size_t v = 0; v < V; ++v)
        a(v, 0) = static_cast<float>(v % 3);
    Grid<float> want_da = da, want_db = db;
    const Grid<float> factor = filled(1, 1, 2);
    expect_status(subject::factor_gradient(dout, a, factor, ids, da, db), Status{});
    reference::factor_gradient(dout, a, factor, ids, want_da, want_db);
    expect_identical("da", da, want_da);
    expect_identical("db", db, want_db);
    // Rows of da without a token keep every bit, those of a signalling NaN among them.
    for (const std::uint32_t pattern : {0x7FA12345U, 0xFF812345U, 0x7FC12345U, 0x80000000U, 1U}) {
        INFO("rows of da hold the bits ", pattern);
        Grid<float> kept = filled(4, 2, std::bit_cast<float>(pattern)), across = filled(2, 3, 0);
        Grid<float> before = kept;
        kept(1, 0) = kept(1, 1) = 0;
        expect_status(subject::factor_gradient(filled(2, 3, 1), filled(4, 2, 1), filled(2, 3, 1),
                                               std::vector<TokenId>{1, 1}, kept, across),
                      Status{});
        before(1, 0) = before(1, 1) = 6;
        expect_true("every bit is kept where no token is", kept == before);
    }
    // Results below the normal numbers are exact where nothing is rounded, however much there is to do.
    constexpr std::size_t much = 1'024, channels = 16;
    const Grid<float> tiny = filled(much, channels, 0x1p-70F), little = filled(much, channels, 0x1p-67F);
    Grid<float> products(much, much), sums(much, channels), table = filled(much, channels, 0);
    expect_status(subject::tied_logits(tiny, little, much, products), Status{});
    expect_identical("logits, 16 times 2^-137", products, filled(much, much, 0x1p-133F));
    const Grid<float> slopes = filled(much, much, 0x1p-70F);
    expect_status(subject::hidden_gradient(slopes, little, much, sums), Status{});
    expect_identical("dhidden, 1,024 times 2^-137", sums, filled(much, channels, 0x1p-127F));
    expect_status(subject::table_gradient(std::vector<TokenId>(much, 0), filled(much, channels, 0), little,
                                          slopes, much, table),
                  Status{});
    expect_identical("dwte, 1,024 times 2^-137", table, filled(much, channels, 0x1p-127F));
    std::vector<TokenId> each(much);
    for (std::size_t n = 0; n < much; ++n)
        each[n] = static_cast<TokenId>(n);
    const Grid<float> low = filled(channels, much, 0x1p-67F);
    Grid<float> rows(much, much), dlow = filled(channels, much, 0), dtall = filled(much, channels, 0);
    expect_status(subject::factor_gather(tiny, low, each, rows), Status{});
    expect_identical("rows, 16 times 2^-137", rows, filled(much, much, 0x1p-133F));
    expect_status(subject::factor_gradient(slopes, little, low, each, dtall, dlow), Status{});
    expect_identical("da, 1,024 times 2^-137", dtall, filled(much, channels, 0x1p-127F));
    expect_identical("db, 1,024 times 2^-137", dlow, filled(channels, much, 0x1p-127F));
    adverse_logits().special_cases();
    adverse_hidden().special_cases();
    adverse_table().special_cases();
    adverse_loss().special_cases();
    adverse_gather().special_cases();
    adverse_factors().special_cases();
}

TEST_CASE("every function after other calls") {
    // What another function needed as much of is no part of a call.
    Random random = constructed();
    const auto rows = spread_grid(random, 2'051, 3), dlogits = spread_grid(random, 2'051, 7);
    const auto inputs = spread_grid(random, 2'051, 3);
    const std::vector<TokenId> ids = random_ids(random, 2'051, 7);
    const auto table_gradient = [&] {
        Grid<float> dwte = filled(7, 3, 0);
        expect_status(subject::table_gradient(ids, inputs, rows, dlogits, 7, dwte), Status{});
        return dwte;
    };
    const auto loss_gradient = [&] {
        Grid<float> gradient(2'051, 7);
        subject::cross_entropy(dlogits, ids, nothing_ignored, gradient);
        return gradient;
    };
    const auto narrow = spread_grid(random, 7, 2), across = spread_grid(random, 2, 3);
    const auto factor_gradients = [&] {
        Grid<float> da = filled(7, 2, 0), db = filled(2, 3, 0);
        expect_status(subject::factor_gradient(rows, narrow, across, ids, da, db), Status{});
        return std::pair{da, db};
    };
    const Grid<float> before = table_gradient(), loss_before = loss_gradient();
    const auto [da_before, db_before] = factor_gradients();
    const auto expect_the_same = [&](const char* after) {
        INFO("after ", after);
        expect_identical("the same gradients of a table", table_gradient(), before);
        expect_identical("the same gradients of a loss", loss_gradient(), loss_before);
        const auto [da_after, db_after] = factor_gradients();
        expect_identical("the same gradients of a tall factor", da_after, da_before);
        expect_identical("the same gradients of a wide factor", db_after, db_before);
    };
    const auto many = spread_grid(random, 9'001, 5), wide = spread_grid(random, 37, 5);
    Grid<float> logits(9'001, 37), dhidden(9'001, 5);
    expect_status(subject::tied_logits(many, wide, 37, logits), Status{});
    expect_the_same("logits of many positions");
    expect_status(subject::hidden_gradient(logits, wide, 37, dhidden), Status{});
    expect_the_same("gradients of many positions");
    const std::vector<TokenId> many_ids = random_ids(random, 9'001, 37);
    Grid<float> slopes(9'001, 37);
    subject::cross_entropy(logits, many_ids, nothing_ignored, slopes);
    expect_the_same("losses of many positions");
    Grid<float> da = filled(37, 5, 0), db = filled(5, 5, 0);
    const auto factor = spread_grid(random, 5, 5);
    expect_status(subject::factor_gather(wide, factor, many_ids, dhidden), Status{});
    expect_status(subject::factor_gradient(many, wide, factor, many_ids, da, db), Status{});
    expect_the_same("factors of many positions");
    // Exponentials of so many sizes that even a sum in double depends on its order, wherever the views lie.
    Grid<float> uneven(1, 129);
    const auto loss_at = [&](std::size_t by) {
        std::vector<float> cells(by + 129);
        const Loss loss = subject::cross_entropy(uneven, std::vector<TokenId>{0}, nothing_ignored,
                                                 {&cells[by], 1, 129, 129});
        return std::pair(loss.mean, std::vector<float>(&cells[by], cells.data() + cells.size()));
    };
    for (int row = 0; row < 8; ++row) {
        for (float& logit : uneven.cells())
            logit = static_cast<float>(random.uniform(-30, 0));
        uneven(0, 0) = 0;
        const auto first_loss = loss_at(0);
        for (const std::size_t by : {1, 2, 3, 8})
            expect_true("an equal call elsewhere gives the same loss", loss_at(by) == first_loss);
    }
    // Sums that are long enough for threads to share them, and to be finished in another order.
    adverse_logits().also({{{"V", 9}, {"C", 4'099}, {"N", 2}, {"W - V", 1}}}).history();
    adverse_hidden().also({{{"V", 4'099}, {"C", 3}, {"N", 2}, {"W - V", 3}}}).history();
    adverse_table().also({{{"V", 7}, {"C", 3}, {"N", 2'051}, {"W - V", 1}}}).history();
    adverse_loss().also({{{"V", 4'099}, {"N", 3}}, {{"V", 5}, {"N", 2'051}}}).history();
    adverse_gather().also({{{"V", 7}, {"R", 2'051}, {"C", 5}, {"N", 3}}}).history();
    adverse_factors()
        .also({{{"V", 7}, {"R", 3}, {"C", 5}, {"N", 2'051}}, {{"V", 7}, {"R", 3}, {"C", 2'051}, {"N", 3}}})
        .history();
    adverse_logits().after(adverse_table());
    adverse_hidden().after(adverse_logits());
    adverse_table().after(adverse_hidden());
    adverse_loss().after(adverse_logits());
    adverse_factors().after(adverse_gather());
}

TEST_CASE("logits beyond element 2^32" * large) {
    adverse_logits().far();
}

TEST_CASE("gradients of hidden states beyond element 2^32" * large) {
    adverse_hidden().far();
}

TEST_CASE("gradients of the table beyond element 2^32" * large) {
    adverse_table().far();
}

TEST_CASE("losses beyond element 2^32" * large) {
    adverse_loss().far();
}

TEST_CASE("rows of a product beyond element 2^32" * large) {
    // Ids that have their lower bits in common, whichever number of them, in one call.
    constexpr std::size_t most = (std::size_t{1} << 24) + 1;
    Grid<float> tall(most, 1);
    tall.fill(0);
    const Grid<float> factor = filled(1, 2, 0.5F);
    std::vector<TokenId> ids{0};
    for (std::size_t power = 1; power < most; power *= 2)
        ids.push_back(static_cast<TokenId>(power));
    for (std::size_t i = 0; i < ids.size(); ++i)
        tall(static_cast<std::size_t>(ids[i]), 0) = static_cast<float>(i + 1);
    Grid<float> products(ids.size(), 2), want(ids.size(), 2);
    expect_status(subject::factor_gather(tall, factor, ids, products), Status{});
    reference::factor_gather(tall, factor, ids, want);
    expect_identical("out", products, want);
    adverse_gather().far();
    // A table of rank 0 may have more rows than any id.
    const Grid<float> b(0, 2);
    for (const std::size_t V :
         {(std::size_t{1} << 31) + 5, (std::size_t{1} << 32) + 5, std::size_t{1} << 63}) {
        INFO("V = ", V, ", R = 0");
        const Matrix<const float> a(nullptr, V, 0);
        const Matrix<float> da(nullptr, V, 0);
        for (const TokenId id : {-1, std::numeric_limits<TokenId>::min()}) {
            Grid<float> out(2, 2), db(0, 2);
            const Status refused{Code::id_out_of_range, 1, id, V};
            expect_status(subject::factor_gather(a, b, std::vector<TokenId>{7, id}, out), refused);
            expect_untouched("out", out);
            expect_status(
                subject::factor_gradient(filled(2, 2, 1), a, b, std::vector<TokenId>{7, id}, da, db),
                refused);
        }
        Grid<float> out(1, 2);
        const std::vector<TokenId> last{std::numeric_limits<TokenId>::max()};
        expect_status(subject::factor_gather(a, b, last, out), Status{});
        expect_close("rows of rank 0", out, filled(1, 2, 0), {});
    }
}

TEST_CASE("gradients of factors beyond element 2^32" * large) {
    adverse_factors().far();
}

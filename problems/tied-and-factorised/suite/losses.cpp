#include "fixtures.h"

using namespace suite;

namespace {

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

} // namespace

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

TEST_CASE("losses beyond element 2^32" * large) {
    adverse_loss().far();
}

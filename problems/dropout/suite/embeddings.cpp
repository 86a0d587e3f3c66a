#include "fixtures.h"

using namespace suite;

TEST_CASE("an embedding is summed first and dropped then") {
    // seed 0, p = 0.5: mask 1 0 0 1 for the first sequence, 0 0 0 1 for the second
    const Cube<float> tokens(2, 2, 2, {1, 2, 3, 4, 1, 2, 3, 4});
    const Grid<float> positions(2, 2, {10, 20, 30, 40});
    Cube<float> out(2, 2, 2);
    expect_status(subject::embed(tokens, positions, false, training(0.5F, 0), out), Status{});
    expect_identical("out", out, Cube<float>(2, 2, 2, {22, 0, 0, 88, 0, 0, 0, 88}));
    expect_status(subject::embed(tokens, positions, false, {0.5F, false, 0, 0}, out), Status{});
    expect_identical("out without train", out, Cube<float>(2, 2, 2, {11, 22, 33, 44, 11, 22, 33, 44}));
    // Sums below the normal numbers are exact, and so is twice such a sum.
    const Cube<float> least(1, 2, 2, {0x1p-149F, -0x5p-145F, 0x1p-127F, -0x3p-149F});
    const Grid<float> little(2, 2, {0x1p-149F, 0x1p-140F, -0x1p-128F, -0x1p-148F});
    const Cube<float> sums(1, 2, 2, {0x2p-149F, 0x1.bp-141F, 0x1p-128F, -0x5p-149F});
    Cube<float> small(1, 2, 2);
    expect_status(subject::embed(least, little, false, {0.5F, false, 0, 0}, small), Status{});
    expect_identical("out of tiny numbers", small, sums);
    expect_status(subject::embed(least, little, false, training(0.5F, 0), small), Status{});
    expect_identical("twice what is left of tiny numbers", small,
                     Cube<float>(1, 2, 2, {0x4p-149F, 0, 0, -0xAp-149F}));
}

TEST_CASE("an embedding is normalised first and dropped then") {
    // 0.001 / sqrt(1e-6 + 1e-5): where the spread is small, eps counts. A row without spread becomes zero.
    Cube<float> small(1, 2, 2);
    expect_status(subject::embed(Cube<float>(1, 2, 2, {0.001F, -0.001F, 5, 5}),
                                 Grid<float>(2, 2, {0, 0, 0, 0}), true, training(0, 1), small),
                  Status{});
    expect_close("out of rows with little spread", small,
                 Cube<double>(1, 2, 2, {0.30151134, -0.30151134, 0, 0}), {.rel = 32 * u});
    // Wide rows of large numbers, whose sums are exact: a difference of large squares can fall below zero.
    constexpr std::size_t rows = 60, wide = 768;
    Cube<float> same(1, rows, wide), level(1, rows, wide), zeros(1, rows, wide);
    zeros.fill(0);
    Random stream = constructed();
    for (std::size_t t = 0; t < rows; ++t)
        std::fill_n(&same(0, t, 0), wide, static_cast<float>(2 * stream.integer(1 << 19, (1 << 23) - 1) + 1));
    Grid<float> nowhere(rows, wide);
    nowhere.fill(0);
    expect_status(subject::embed(same, nowhere, true, {0, false, 0, 0}, level), Status{});
    expect_identical("out of wide rows of equal values", level, zeros);
    // A product with 1 / C has two roundings where a quotient has one, and few widths show it.
    for (std::size_t C = 2; C <= 130; ++C) {
        Cube<float> equal(1, 8, C), flat(1, 8, C), none(1, 8, C);
        none.fill(0);
        for (std::size_t t = 0; t < 8; ++t)
            std::fill_n(&equal(0, t, 0), C, static_cast<float>(stream.integer(1 << 22, (1 << 24) - 1)));
        Grid<float> zero(8, C);
        zero.fill(0);
        expect_status(subject::embed(equal, zero, true, {0, false, 0, 0}, flat), Status{});
        expect_identical("out of rows of equal values", flat, none);
    }
    // Squares of which each is rounded, and all in one direction: added up in float they are further off than
    // the contract allows.
    for (const std::size_t C : {300, 700, 1'024, 3'000})
        for (const float a : {1.1F, 0.7F, 1.3F, 0.9F, 1.9F, 3.3F}) {
            Cube<float> apart(1, 1, C), out(1, 1, C);
            Cube<double> want(1, 1, C);
            for (std::size_t c = 0; c < C; ++c) {
                apart(0, 0, c) = c % 2 == 0 ? a : -a;
                want(0, 0, c) = apart(0, 0, c) / std::sqrt(double{a} * a + 1e-5);
            }
            Grid<float> zero(1, C);
            zero.fill(0);
            expect_status(subject::embed(apart, zero, true, {0, false, 0, 0}, out), Status{});
            expect_close("out of rows of a and -a", out, want, {.rel = 25 * u});
        }
    // A NaN is unequal to all, and infinity less infinity is NaN: either makes its row NaN, wherever it lies
    // and however equal the others are.
    for (const float odd : {not_a_number, infinity, -infinity})
        for (const std::size_t C : {2, 3, 8, 33})
            for (std::size_t at = 0; at < C; ++at) {
                Cube<float> equal(1, 1, C), out(1, 1, C);
                equal.fill(at % 2 == 0 ? 0.0F : 2.0F);
                equal(0, 0, at) = odd;
                Grid<float> zero(1, C);
                zero.fill(0);
                CAPTURE(odd);
                CAPTURE(C);
                CAPTURE(at);
                expect_status(subject::embed(equal, zero, true, {0, false, 0, 0}, out), Status{});
                for (std::size_t c = 0; c < C; ++c)
                    expect_true("a row of equal values and one that is not finite becomes NaN",
                                is_own_nan(out(0, 0, c)));
            }
    for_random_sizes(16, {{"B", 1, 3}, {"T", 1, 5}, {"C", 2, 24}, {"L", 0, 1}, {"S", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         const std::size_t B = size["B"], T = size["T"], C = size["C"];
                         const bool normalise = size["L"] == 1;
                         auto tokens = random_cube<float>(random, B, T, C);
                         for (std::size_t i = 0; i < tokens.cells().size(); ++i) // no row without spread
                             tokens.cells()[i] += i % C % 2 == 0 ? 4.0F : -4.0F;
                         const auto positions = random_grid<float>(random, T, C, C + size["S"]);
                         const Dropout dropout = training(0.25F, random.bits(), random.bits());
                         Cube<float> out(B, T, C);
                         Cube<double> want(B, T, C), bound(B, T, C);
                         for (std::size_t b = 0; b < B; ++b)
                             for (std::size_t t = 0; t < T; ++t) {
                                 double mean = 0, variance = 0, largest = 0;
                                 std::vector<double> sum(C);
                                 for (std::size_t c = 0; c < C; ++c) {
                                     sum[c] = static_cast<double>(tokens(b, t, c)) + positions(t, c);
                                     mean += sum[c] / static_cast<double>(C);
                                     largest = std::max(largest, std::abs(sum[c]));
                                 }
                                 for (const double value : sum)
                                     variance += (value - mean) * (value - mean) / static_cast<double>(C);
                                 const double factor = 1 / std::sqrt(variance + 1e-5);
                                 for (std::size_t c = 0; c < C; ++c) {
                                     const double value = normalise ? (sum[c] - mean) * factor : sum[c];
                                     want(b, t, c) = dropped(value, dropout, (b * T + t) * C + c);
                                     // The sum and its mean rounded to float cost u kappa each, kappa = max
                                     // |s| factor; difference, root, quotient and the factor of dropout 10 u
                                     // of the value. Twice that.
                                     bound(b, t, c) =
                                         want(b, t, c) == 0
                                             ? 0
                                             : 2 * u *
                                                   (10 * std::abs(want(b, t, c)) +
                                                    (normalise ? 2 * largest * factor / 0.75 : 0));
                                 }
                             }
                         expect_status(subject::embed(tokens, positions, normalise, dropout, out), Status{});
                         expect_within("out", out, want, bound);
                     });
}

TEST_CASE("embeddings of every size, with gaps between positions") {
    adverse_embed(false).sizes();
    adverse_embed(false).gaps();
    adverse_embed(true).sizes();
}

TEST_CASE("embeddings with empty axes, special options and after other calls") {
    adverse_embed(false).empty_axes();
    adverse_embed(false).special_cases();
    adverse_embed(false).history();
    adverse_embed(false).after(adverse_forward());
    adverse_embed(true).special_cases();
}

TEST_CASE("positions beyond element 2^32" * large) {
    adverse_embed(false).far();
}

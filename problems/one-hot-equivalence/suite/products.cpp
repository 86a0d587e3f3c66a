#include "fixtures.h"

using namespace suite;

TEST_CASE("the product with one-hot rows picks rows of the table") {
    Grid<float> out(4, 3);
    expect_status(subject::onehot_matmul(onehot_of({2, 3, 5, 1}, 6), numbered(6, 3), out), Status{});
    expect_close("out", out, Grid<float>(4, 3, {20, 21, 22, 30, 31, 32, 50, 51, 52, 10, 11, 12}),
                 Tolerance{});
}

TEST_CASE("a row that mixes two tokens gives their mean") {
    // What is no one-hot row, though it has a sum of 1, and a sum of squares of 1.
    const Grid<float> nearly(
        5, 4, {-0.5F, 0.5F, 0.5F, 0.5F, 1, 0x1p-60F, 0, 0, 2, -1, 0, 0, 1, 1, -1, 0, 0, 1, 0x1p-30F, 0});
    expect_product(nearly, Grid<float>(4, 2, {0x1p50F, 2, 0x1p60F, 3, -0x1p50F, 0x1p40F, 7, 0}), 2);
    Grid<float> mix = filled(2, 6, 0.0f);
    mix(0, 1) = mix(0, 4) = 0.5f;
    mix(1, 0) = 1.0f;
    mix(1, 5) = -1.0f;
    Grid<float> out(2, 3);
    expect_status(subject::onehot_matmul(mix, numbered(6, 3), out), Status{});
    expect_close("out", out, Grid<float>(2, 3, {25, 26, 27, -50, -50, -50}), Tolerance{});
}

TEST_CASE("infinity in one row poisons the product but not the gather") {
    const Grid<float> table(4, 3, {1, 2, 3, 4, infinity, 6, 7, 8, not_a_number, 10, 11, 12});
    const std::vector<TokenId> ids{0, 1, 3};
    Grid<float> product(3, 3);
    expect_status(subject::onehot_matmul(onehot_of(ids, 4), table, product), Status{});
    expect_close("product", product,
                 Grid<float>(3, 3,
                             {1, not_a_number, not_a_number,    // 0 * infinity, 0 * NaN
                              4, infinity, not_a_number,        // 1 * infinity, 0 * NaN
                              10, not_a_number, not_a_number}), // 0 * infinity, 0 * NaN
                 Tolerance{});
    Grid<float> rows(3, 3);
    expect_status(subject::gather(table, ids, rows), Status{});
    expect_identical("gather", rows, Grid<float>(3, 3, {1, 2, 3, 4, infinity, 6, 10, 11, 12}));
}

TEST_CASE("the product with any factors stays within its rounding errors") {
    for_random_sizes(24, {{"V", 1, 64}, {"C", 1, 17}, {"N", 1, 12}}, [](const Sizes& size, Random& random) {
        const auto weights = random_grid<float>(random, size["N"], size["V"]);
        expect_product(weights, spread_grid(random, size["V"], size["C"]), size["C"]);
    });
    // Rows of one 1 invite a short cut, perhaps only where there are many columns. It reads one row of the
    // table.
    for (const std::size_t V : {5, 33, 129, 1'025}) {
        const std::vector<TokenId> ids{0, 2, static_cast<TokenId>(V - 1)};
        for (const float value : {infinity, not_a_number}) {
            INFO("V = ", V, ", one-hot rows, and ", value, " in one row of the table");
            Grid<float> table = numbered(V, 3), out(3, 3), want(3, 3);
            table(V / 2, 1) = value;
            expect_status(subject::onehot_matmul(onehot_of(ids, V), table, out), Status{});
            reference::onehot_matmul(onehot_of(ids, V), table, want);
            expect_close("out", out, want, Tolerance{});
        }
    }
}

TEST_CASE("products of every size, with gaps between rows") {
    Random random = constructed();
    expect_product(sparse(5, 70'003, false), spread_grid(random, 70'003, 2), 2);
    adverse_product().sizes();
    adverse_product().gaps();
}

TEST_CASE("products with empty axes, special numbers and after other calls") {
    adverse_product().empty_axes();
    adverse_product().special_cases();
    adverse_product().history();
    adverse_product().after(adverse_transposed());
}

TEST_CASE("products beyond element 2^32" * large) {
    adverse_product().far();
}

#include "fixtures.h"

using namespace suite;

namespace {

/// Small integers: every product and sum of them is exact in float.
Grid<float> random_integers(Random& random, std::size_t rows, std::size_t cols) {
    Grid<float> grid(rows, cols);
    for (float& cell : grid.cells())
        cell = static_cast<float>(random.integer(-8, 8));
    return grid;
}

double inner_product(const Grid<float>& a, const Grid<float>& b) {
    double sum = 0;
    for (std::size_t r = 0; r < a.rows(); ++r)
        for (std::size_t c = 0; c < a.cols(); ++c)
            sum += static_cast<double>(a(r, c)) * b(r, c);
    return sum;
}

} // namespace

TEST_CASE("infinity in one gradient poisons the transposed product but not the scatter-add") {
    const Grid<float> dout(2, 2, {1, infinity, 2, 3});
    const std::vector<TokenId> ids{0, 2};
    Grid<float> product(3, 2);
    expect_status(subject::onehot_matmul_transposed(onehot_of(ids, 3), dout, product), Status{});
    expect_close("transposed product", product,
                 Grid<float>(3, 2, {1, infinity, 0, not_a_number, 2, not_a_number}), Tolerance{});
    Grid<float> sums = filled(3, 2, 0.0f);
    expect_status(subject::scatter_add(ids, dout, sums), Status{});
    expect_close("scatter-add", sums, Grid<float>(3, 2, {1, infinity, 0, 0, 2, 3}), Tolerance{});
}

TEST_CASE("the transposed product adds up the gradient of repeated ids") {
    Grid<float> dtable(4, 2);
    expect_status(subject::onehot_matmul_transposed(onehot_of({0, 2, 0}, 4), filled(3, 2, 1.0f), dtable),
                  Status{});
    expect_close("dtable", dtable, Grid<float>(4, 2, {2, 2, 0, 0, 1, 1, 0, 0}), Tolerance{});
}

TEST_CASE("the transposed product with any factors stays within its rounding errors") {
    for_random_sizes(24, {{"V", 2, 40}, {"C", 1, 17}, {"N", 2, 64}}, [](const Sizes& size, Random& random) {
        const auto weights = random_grid<float>(random, size["N"], size["V"]);
        expect_transposed_product(weights, spread_grid(random, size["N"], size["C"]), size["C"]);
    });
    for (const std::size_t N : {5, 33, 129, 1'025}) {
        std::vector<TokenId> ids(N, 2);
        ids[0] = 0;
        for (const float value : {infinity, not_a_number}) {
            INFO("N = ", N, ", one-hot rows, and ", value, " in one row of dout");
            Grid<float> dout = filled(N, 2, 0.5F), out(4, 2), want(4, 2);
            dout(N / 2, 1) = value;
            expect_status(subject::onehot_matmul_transposed(onehot_of(ids, 4), dout, out), Status{});
            reference::onehot_matmul_transposed(onehot_of(ids, 4), dout, want);
            expect_close("dtable", out, want, Tolerance{});
        }
    }
}

TEST_CASE("product and transposed product are adjoint") {
    // <X E, G> = <E, X^T G> for all X, E and G. With small integers no rounding happens, so it holds exactly.
    for_random_sizes(24, {{"V", 2, 30}, {"C", 1, 9}, {"N", 2, 30}}, [](const Sizes& size, Random& random) {
        const auto weights = random_integers(random, size["N"], size["V"]);
        const auto table = random_integers(random, size["V"], size["C"]);
        const auto dout = random_integers(random, size["N"], size["C"]);
        Grid<float> out(size["N"], size["C"]), dtable(size["V"], size["C"]);
        expect_status(subject::onehot_matmul(weights, table, out), Status{});
        expect_status(subject::onehot_matmul_transposed(weights, dout, dtable), Status{});
        expect_near("<X E, G> = <E, X^T G>", inner_product(out, dout), inner_product(table, dtable), 0.0);
    });
}

TEST_CASE("transposed products of every size, with gaps between rows") {
    Random random = constructed();
    expect_transposed_product(sparse(5, 70'003, true), spread_grid(random, 70'003, 2), 2);
    adverse_transposed().sizes();
    adverse_transposed().gaps();
}

TEST_CASE("transposed products with empty axes, special numbers and after other calls") {
    adverse_transposed().empty_axes();
    adverse_transposed().special_cases();
    adverse_transposed().also({worth_sharing}).history();
    adverse_transposed().after(adverse_product());
}

TEST_CASE("transposed products beyond element 2^32" * large) {
    adverse_transposed().far();
}

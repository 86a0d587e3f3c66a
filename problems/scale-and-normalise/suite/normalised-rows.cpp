#include "fixtures.h"

using namespace suite;

namespace {

/// Runs `layernorm_rows` and holds it against the definition.
void expect_normalised(const Grid<float>& x, std::span<const float> gain, std::span<const float> bias,
                       float eps) {
    Grid<float> out(x.rows(), x.cols());
    Grid<double> want(x.rows(), x.cols()), bound(x.rows(), x.cols());
    for (std::size_t r = 0; r < x.rows(); ++r) {
        const Row row(in_double(x.row(r)), eps);
        for (std::size_t c = 0; c < x.cols(); ++c) {
            const double scaled = gain[c] * row.xhat[c];
            want(r, c) = scaled + bias[c];
            bound(r, c) =
                2 * (std::abs(gain[c]) * row.error(c) + u * std::abs(scaled) + u * std::abs(want(r, c)));
        }
    }
    expect_status(subject::layernorm_rows(x, gain, bias, eps, out), Status{});
    expect_within("out", out, want, bound);
}

} // namespace

TEST_CASE("each row is normalised by its own mean and spread") {
    const Grid<float> x(3, 4,
                        {0.0F, 4.0F, 8.0F, 12.0F, // mean 6, variance 20, and sqrt(20 + 5) = 5
                         7.0F, 7.0F, 7.0F, 7.0F, 10.0F, 10.0F, 10.0F,
                         18.0F}); // mean 12, variance 12, sqrt(17)
    const std::vector<float> gain{1.0F, 2.0F, 0.5F, -1.0F}, bias{0.0F, 1.0F, 10.0F, 0.5F};
    const double root = std::sqrt(17.0);
    Grid<float> out(3, 4);
    expect_status(subject::layernorm_rows(x, gain, bias, 5.0F, out), Status{});
    // Nothing here exceeds 11, so the error is below 10 units of 11 * 2^-24.
    expect_close("out", out,
                 Grid<double>(3, 4,
                              {-1.2, 0.2, 10.2, -0.7, //
                               0.0, 1.0, 10.0, 0.5,   //
                               -2 / root, 1 - 4 / root, 10 - 1 / root, 0.5 - 6 / root}),
                 Tolerance{.abs = 110 * u});
}

TEST_CASE("a normalised row has mean zero and variance one") {
    Random random = harness::random();
    for (const std::size_t C : {16, 768}) {
        Grid<float> x(6, C), out(6, C);
        for (std::size_t r = 0; r < 6; ++r)
            for (float& value : x.row(r))
                value = static_cast<float>(
                    random.normal(3.0 * static_cast<double>(r) - 8, 1.0 + static_cast<double>(r)));
        const std::vector<float> gain(C, 1.0F), bias(C, 0.0F);
        expect_status(subject::layernorm_rows(x, gain, bias, 1e-5F, out), Status{});
        for (std::size_t r = 0; r < 6; ++r) {
            double mean = 0, square = 0;
            for (const float value : out.row(r)) {
                mean += value / static_cast<double>(C);
                square += static_cast<double>(value) * value / static_cast<double>(C);
            }
            expect_near("the mean of a row", mean, 0, 1e-5);
            expect_near("variance of a row", square - mean * mean, 1, 1e-3);
        }
    }
}

TEST_CASE("a constant row becomes the bias") {
    const std::vector<float> gain{3.0F, -2.0F, 0.5F, 7.0F}, bias{1.0F, -4.0F, 0.25F, 100.0F};
    for (const float value : {0.0F, 7.0F, 0.1F, -10'000.0F}) {
        Grid<float> x(2, 4), out(2, 4);
        x.fill(value);
        expect_status(subject::layernorm_rows(x, gain, bias, 1e-5F, out), Status{});
        // The mean in double is off by 1e-16 of 10,000 at most; divided by sqrt(1e-5), times 7: below 1e-8.
        expect_close("out", out, Grid<double>(2, 4, {1, -4, 0.25, 100, 1, -4, 0.25, 100}),
                     Tolerance{.abs = 1e-8, .rel = u});
    }
    // Wide rows of large numbers, whose sums are exact: a difference of large squares can fall below zero.
    constexpr std::size_t rows = 60, C = 768;
    Grid<float> wide(rows, C), level(rows, C), halves(rows, C);
    halves.fill(0.5F);
    Random stream = constructed();
    for (std::size_t r = 0; r < rows; ++r)
        std::fill_n(&wide(r, 0), C, static_cast<float>(2 * stream.integer(1 << 19, (1 << 23) - 1) + 1));
    expect_status(
        subject::layernorm_rows(wide, std::vector<float>(C, 1.0F), std::vector<float>(C, 0.5F), 1e-5F, level),
        Status{});
    expect_close("out of wide rows", level, halves, Tolerance{.abs = 1e-8, .rel = u});
    // Of large ones even the bias has to be left, whose digits a factor of the mean would take away.
    for (const float value : {1e8F, -1e8F, 0x1p40F, 1e30F}) {
        Grid<float> x(2, 4), out(2, 4);
        x.fill(value);
        expect_status(subject::layernorm_rows(x, gain, bias, 1e-5F, out), Status{});
        expect_close("out of large equal values", out,
                     Grid<double>(2, 4, {1, -4, 0.25, 100, 1, -4, 0.25, 100}),
                     Tolerance{.abs = 1e-8, .rel = u});
    }
    // The sum is exact, and so is its quotient by C, but not its product with 1 / C.
    for (const std::size_t columns : {3, 49, 770}) {
        Grid<float> equal(2, columns), out(2, columns), want(2, columns);
        equal.fill(0x1p23F);
        want.fill(0.5F);
        expect_status(subject::layernorm_rows(equal, std::vector<float>(columns, 1.0F),
                                              std::vector<float>(columns, 0.5F), 1e-5F, out),
                      Status{});
        expect_close("out of equal values", out, want, Tolerance{.abs = 1e-8, .rel = u});
    }
    const Grid<float> narrow(3, 1, {5.0F, -1.0F, 1e6F}); // a single channel is always constant
    Grid<float> out(3, 1);
    expect_status(
        subject::layernorm_rows(narrow, std::vector<float>{2.0F}, std::vector<float>{0.75F}, 1e-5F, out),
        Status{});
    expect_identical("out, C = 1", out, Grid<float>(3, 1, {0.75F, 0.75F, 0.75F}));
}

TEST_CASE("a large offset costs no accuracy") {
    for (const std::size_t C : {64, 768}) {
        Grid<float> x(2, C);
        for (std::size_t c = 0; c < C; ++c) { // multiples of 1/64: exact next to 10,000
            x(0, c) = 10'000.0F + static_cast<float>(c * 37 % 128) / 64;
            x(1, c) = -10'000.0F + static_cast<float>(c * c % 113) / 64;
        }
        expect_normalised(x, std::vector<float>(C, 1.0F), std::vector<float>(C, 0.0F), 1e-5F);
    }
}

TEST_CASE("rows of random shapes agree with the definition") {
    for_random_sizes(
        24, {{"N", 1, 6}, {"C", 2, 40}, {"E", 0, 2}, {"S", 0, 3}}, [](const Sizes& size, Random& random) {
            constexpr float eps[] = {1e-5F, 0.01F, 1.0F};
            auto x = random_grid<float>(random, size["N"], size["C"], size["C"] + size["S"]);
            for (std::size_t r = 0; r < x.rows(); ++r) // a spread of about 4: well conditioned for C = 2 too
                for (std::size_t c = 0; c < x.cols(); c += 2)
                    x(r, c) += 8;
            expect_normalised(x, random_values(random, size["C"]), random_values(random, size["C"]),
                              eps[size["E"]]);
        });
}

TEST_CASE("rows that cannot be normalised are refused and nothing is written") {
    const auto x = tokens();
    const auto try_sizes = [&](std::size_t gains, std::size_t biases, std::size_t N, std::size_t C, float eps,
                               Code code) {
        const std::vector<float> gain(gains, 1.0F), bias(biases, 0.0F);
        Grid<float> out(N, C);
        expect_status(subject::layernorm_rows(x, gain, bias, eps, out), Status{code});
        expect_untouched("out", out);
    };
    try_sizes(3, 4, 3, 4, 1e-5F, Code::shape_mismatch);
    try_sizes(4, 5, 3, 4, 1e-5F, Code::shape_mismatch);
    try_sizes(4, 4, 2, 4, 1e-5F, Code::shape_mismatch);
    try_sizes(4, 4, 3, 3, 1e-5F, Code::shape_mismatch);
    try_sizes(3, 4, 3, 4, 0.0F, Code::shape_mismatch); // sizes come first
    for (const float eps : {0.0F, -1e-5F, not_a_number, -not_a_number, infinity})
        try_sizes(4, 4, 3, 4, eps, Code::invalid_argument);

    const auto try_backward = [&](std::size_t gains, std::size_t dout_rows, std::size_t dout_cols,
                                  std::size_t rows, std::size_t cols, std::size_t dgains, std::size_t dbiases,
                                  float eps, Code code) {
        Grid<float> dout(dout_rows, dout_cols), dx(rows, cols);
        dout.fill(1.0F);
        std::vector<float> gain(gains, 1.0F), dgain(dgains, 5.0F), dbias(dbiases, 6.0F);
        expect_status(subject::layernorm_rows_backward(x, gain, eps, dout, dx, dgain, dbias), Status{code});
        expect_untouched("dx", dx);
        expect_identical("dgain", dgain, std::vector<float>(dgains, 5.0F));
        expect_identical("dbias", dbias, std::vector<float>(dbiases, 6.0F));
    };
    try_backward(5, 3, 4, 3, 4, 4, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 2, 4, 3, 4, 4, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 5, 3, 4, 4, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 4, 4, 4, 4, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 4, 3, 5, 4, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 4, 3, 4, 3, 4, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 4, 3, 4, 4, 3, 1e-5F, Code::shape_mismatch);
    try_backward(4, 3, 4, 3, 4, 3, 4, 0.0F, Code::shape_mismatch);
    for (const float eps : {0.0F, -1e-5F, not_a_number, -not_a_number, infinity})
        try_backward(4, 3, 4, 3, 4, 4, 4, eps, Code::invalid_argument);
}

TEST_CASE("a value that is not a number stays in its row") {
    Random random = harness::random();
    auto x = random_grid<float>(random, 3, 6);
    x(1, 4) = not_a_number;
    const auto gain = random_values(random, 6), bias = random_values(random, 6);
    Grid<float> out(3, 6);
    expect_status(subject::layernorm_rows(x, gain, bias, 1e-5F, out), Status{});
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 6; ++c)
            expect_equal("whether out is a number", !std::isnan(out(r, c)), r != 1);
    expect_true("the row with a NaN was written", !is_poison(out(1, 0)) && !is_poison(out(1, 5)));
    // Also where all others are equal, which a smallest and a largest value do not tell; and infinity less
    // infinity is NaN, in the mean's distance and so in the variance.
    for (const float odd : {not_a_number, infinity, -infinity})
        for (std::size_t at = 0; at < 6; ++at) {
            Grid<float> equal(1, 6), flat(1, 6);
            equal.fill(2.0F);
            equal(0, at) = odd;
            CAPTURE(odd);
            CAPTURE(at);
            expect_status(subject::layernorm_rows(equal, gain, bias, 1e-5F, flat), Status{});
            for (std::size_t c = 0; c < 6; ++c)
                expect_true("a row of equal values and one that is not finite becomes NaN",
                            is_own_nan(flat(0, c)));
        }

    // A sum with an infinite term stays infinite, whatever is added after it.
    Grid<float> endless(4, 2, {1, 2, infinity, 3, -4, 5, 6, 1}), from_endless(4, 2);
    std::vector<float> sums(2), gains(2);
    expect_status(subject::layernorm_rows_backward(Grid<float>(4, 2, {1, 2, 3, 5, 4, 2, 7, 1}),
                                                   std::vector<float>{1, 1}, 1e-5F, endless, from_endless,
                                                   gains, sums),
                  Status{});
    expect_equal("dbias with an infinite term", sums[0], infinity);
    expect_equal("dgain with an infinite term", std::abs(gains[0]), infinity);

    // 0 times NaN is NaN, also in a row that nothing flows back to.
    auto dout = random_grid<float>(random, 3, 6);
    std::ranges::fill(dout.row(1), 0.0F);
    Grid<float> dx(3, 6);
    std::vector<float> dgain(6), dbias(6);
    expect_status(subject::layernorm_rows_backward(x, gain, 1e-5F, dout, dx, dgain, dbias), Status{});
    for (std::size_t c = 0; c < 6; ++c) {
        for (std::size_t r = 0; r < 3; ++r)
            expect_equal("whether dx is a number", !std::isnan(dx(r, c)), r != 1);
        expect_equal("whether dgain is a number", !std::isnan(dgain[c]), false);
        expect_equal("whether dbias is a number", !std::isnan(dbias[c]), true);
    }
}

TEST_CASE("nothing to do is done") {
    Cube<float> no_batch(0, 2, 4), no_time(2, 0, 4);
    expect_status(subject::embed_scaled(tokens(), positions(), Grid<TokenId>(0, 2), no_batch), Status{});
    expect_status(subject::embed_scaled(tokens(), positions(), Grid<TokenId>(2, 0), no_time), Status{});
    auto dwpe = positions();
    expect_status(subject::embed_scaled_backward(no_batch, no_batch, dwpe), Status{});
    expect_status(subject::embed_scaled_backward(no_time, no_time, dwpe), Status{});
    expect_identical("dwpe", dwpe, positions());
    Grid<float> no_rows(0, 4);
    std::vector<float> dgain(4, 5.0F), dbias(4, 6.0F);
    expect_status(subject::layernorm_rows(no_rows, one4, zero4, 1e-5F, no_rows), Status{});
    expect_status(subject::layernorm_rows_backward(no_rows, one4, 1e-5F, no_rows, no_rows, dgain, dbias),
                  Status{});
    expect_identical("dgain", dgain, std::vector<float>(4, 5.0F));
    expect_identical("dbias", dbias, std::vector<float>(4, 6.0F));
}

TEST_CASE("normalised rows of every size, with gaps between them") {
    adverse_layernorm().also({{{"N", 1'171}, {"C", 907}}}).sizes();
    adverse_layernorm().gaps();
}

TEST_CASE("normalised rows with empty axes, every refusal and after other calls") {
    adverse_layernorm().empty_axes();
    adverse_layernorm().special_cases();
    adverse_layernorm().history();
    adverse_layernorm().after(adverse_layernorm_backward());
}

TEST_CASE("normalised rows beyond element 2^32" * large) {
    adverse_layernorm().far();
}

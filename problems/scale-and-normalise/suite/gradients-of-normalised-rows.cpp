#include "fixtures.h"

using namespace suite;

namespace {

struct Gradients {
    Grid<float> dx;
    std::vector<float> dgain, dbias;

    Gradients(std::size_t N, std::size_t C) : dx(N, C), dgain(C, 0.0F), dbias(C, 0.0F) {}
};

/// sum dout * (gain * xhat + bias) over all rows, in double: the loss whose gradient is asked for.
double loss(const Grid<double>& x, std::span<const double> gain, std::span<const double> bias, double eps,
            const Grid<float>& dout) {
    double sum = 0;
    for (std::size_t r = 0; r < x.rows(); ++r) {
        const Row row(x.row(r), eps);
        for (std::size_t c = 0; c < x.cols(); ++c)
            sum += dout(r, c) * (gain[c] * row.xhat[c] + bias[c]);
    }
    return sum;
}

/// Central difference of `f` in `variable`. The step is the cube root of double's epsilon, at which cutting
/// off the series and rounding cost about the same: some 1e-10 of the values here.
template <class Function>
double derivative(double& variable, const Function& f) {
    constexpr double step = 6e-6;
    const double at = variable;
    variable = at + step;
    const double above = f();
    variable = at - step;
    const double below = f();
    variable = at;
    return (above - below) / (2 * step);
}
constexpr double difference_error = 1e-7;

/// Compares the gradients of normalised rows with the reference's; the rows of `dx` lie 3 S elements apart.
void expect_normalised_gradients(const Grid<float>& x, const Grid<float>& dout,
                                 const std::vector<float>& gain, std::size_t S, Random& random) {
    constexpr float eps = 1e-3F;
    const std::size_t N = x.rows(), C = x.cols();
    Grid<float> dx(N, C, C + 3 * S);
    Gradients got(N, C), want(N, C);
    got.dgain = random_values(random, C), got.dbias = random_values(random, C);
    want.dgain = got.dgain, want.dbias = got.dbias;
    const GradientBounds bound(x, gain, eps, dout, got.dgain, got.dbias);
    expect_status(subject::layernorm_rows_backward(x, gain, eps, dout, dx, got.dgain, got.dbias),
                  reference::layernorm_rows_backward(x, gain, eps, dout, want.dx, want.dgain, want.dbias));
    expect_within("dx", dx, want.dx, bound.dx);
    expect_within("dgain", got.dgain, want.dgain, bound.dgain);
    expect_within("dbias", got.dbias, want.dbias, bound.dbias);
}

} // namespace

TEST_CASE("a gradient by hand") {
    const Grid<float> x(2, 4, {0.0F, 4.0F, 8.0F, 12.0F, 7.0F, 7.0F, 7.0F, 7.0F});
    const Grid<float> dout(2, 4, {1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 2.0F, 0.0F, 0.0F});
    const std::vector<float> gain{1.0F, 2.0F, 1.0F, 1.0F};
    Gradients got(2, 4);
    got.dgain = {10.0F, 20.0F, 30.0F, 40.0F}; // earlier micro-batches were here
    got.dbias = {0.0F, 100.0F, 0.0F, -1.0F};
    const GradientBounds bound(x, gain, 5, dout, got.dgain, got.dbias);
    expect_status(subject::layernorm_rows_backward(x, gain, 5.0F, dout, got.dx, got.dgain, got.dbias),
                  Status{});
    const double fifth = 1 / std::sqrt(5.0);
    expect_within("dx", got.dx,
                  Grid<double>(2, 4, {0.078, -0.074, -0.026, 0.022, -fifth, 3 * fifth, -fifth, -fifth}),
                  bound.dx);
    expect_within("dgain", got.dgain, std::vector<double>{8.8, 20, 30, 40}, bound.dgain);
    expect_identical("dbias", got.dbias, std::vector<float>{1, 102, 0, -1}); // whole numbers
}

TEST_CASE("neither the sum of a row nor its sum of squares has a gradient") {
    // The sum of xhat is 0 and its sum of squares C variance / (variance + eps), whatever x is: no dx can
    // change the first, and the second has the gradient 2 factor xhat eps / (variance + eps).
    Random random = harness::random();
    const std::size_t N = 4, C = 64;
    const auto x = random_grid<float>(random, N, C);
    const std::vector<float> gain(C, 1.0F);
    Grid<float> ones(N, C), twice_xhat(N, C);
    ones.fill(1.0F);
    double most = 0;
    for (std::size_t r = 0; r < N; ++r) {
        const Row row(in_double(x.row(r)), 1e-5);
        for (std::size_t c = 0; c < C; ++c)
            twice_xhat(r, c) = static_cast<float>(2 * row.xhat[c]);
        most = std::max(most, 2 * row.factor * row.largest() * 1e-5 * row.factor * row.factor);
    }
    const std::vector<double> none(N * C, 0.0);
    Gradients sum(N, C), squares(N, C);
    expect_status(subject::layernorm_rows_backward(x, gain, 1e-5F, ones, sum.dx, sum.dgain, sum.dbias),
                  Status{});
    const GradientBounds sum_bound(x, gain, 1e-5, ones, sum.dgain, sum.dbias);
    expect_within("dx of the sum", sum.dx.cells(), none, sum_bound.dx.cells());
    expect_status(subject::layernorm_rows_backward(x, gain, 1e-5F, twice_xhat, squares.dx, squares.dgain,
                                                   squares.dbias),
                  Status{});
    expect_close("dx of the sum of squares", squares.dx.cells(), none, Tolerance{.abs = most + 1e-4});
}

TEST_CASE("the gradient agrees with finite differences") {
    for_random_sizes(8, {{"N", 1, 3}, {"C", 2, 9}}, [](const Sizes& size, Random& random) {
        const std::size_t N = size["N"], C = size["C"];
        const double eps = 0.25; // a power of two: the same number in float
        const auto x = random_grid<float>(random, N, C);
        const auto dout = random_grid<float>(random, N, C);
        const auto gain = random_values(random, C);
        Gradients got(N, C);
        expect_status(subject::layernorm_rows_backward(x, gain, 0.25F, dout, got.dx, got.dgain, got.dbias),
                      Status{});

        Grid<double> at(N, C), want(N, C);
        std::ranges::copy(x.cells(), at.cells().begin());
        auto gains = in_double(gain);
        std::vector<double> biases(C, 0.0), want_gain(C), want_bias(C);
        const auto value = [&] { return loss(at, gains, biases, eps, dout); };
        for (std::size_t i = 0; i < N * C; ++i)
            want.cells()[i] = derivative(at.cells()[i], value);
        for (std::size_t c = 0; c < C; ++c) {
            want_gain[c] = derivative(gains[c], value);
            want_bias[c] = derivative(biases[c], value);
        }
        const std::vector<float> before(C, 0.0F);
        GradientBounds bound(x, gain, eps, dout, before, before);
        for (auto bounds : {bound.dx.cells(), std::span(bound.dgain), std::span(bound.dbias)})
            for (double& entry : bounds)
                entry += difference_error;
        expect_within("dx", got.dx, want, bound.dx);
        expect_within("dgain", got.dgain, want_gain, bound.dgain);
        expect_within("dbias", got.dbias, want_bias, bound.dbias);
    });
}

TEST_CASE("gradients of random shapes agree with the reference") {
    for_random_sizes(16, {{"N", 1, 12}, {"C", 2, 70}, {"S", 0, 3}}, [&](const Sizes& size, Random& random) {
        const std::size_t N = size["N"], C = size["C"], S = size["S"];
        const auto x = random_grid<float>(random, N, C, C + S);
        const auto dout = random_grid<float>(random, N, C, C + 2 * S);
        expect_normalised_gradients(x, dout, random_values(random, C), S, random);
    });
    // All gradients add up in the mean of g, where a sum in float loses most.
    Random random = harness::random();
    constexpr std::size_t wide = 10'007;
    Grid<float> even(1, wide);
    even.fill(0.1F);
    expect_normalised_gradients(random_grid<float>(random, 1, wide), even, std::vector<float>(wide, 1.0F), 0,
                                random);
}

TEST_CASE("gradients that do not fit are refused and nothing is written") {
    const Cube<float> dout(2, 3, 4, std::initializer_list<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3,
                                                                 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6});
    const auto expect_refused = [&](std::size_t B, std::size_t T, std::size_t C, std::size_t rows,
                                    std::size_t cols, Status status) {
        Cube<float> dtokens(B, T, C);
        Grid<float> dwpe(rows, cols);
        dwpe.fill(1.0F);
        const Grid<float> before = dwpe;
        expect_status(subject::embed_scaled_backward(dout, dtokens, dwpe), status);
        expect_untouched("dtokens", dtokens);
        expect_identical("dwpe", dwpe, before);
    };
    const Status mismatch{Code::shape_mismatch};
    expect_refused(1, 3, 4, 5, 4, mismatch);
    expect_refused(2, 2, 4, 5, 4, mismatch);
    expect_refused(2, 3, 5, 5, 4, mismatch);
    expect_refused(2, 3, 4, 5, 3, mismatch);
    expect_refused(2, 3, 4, 1, 3, mismatch); // shapes come first
    expect_refused(2, 3, 4, 2, 4, Status{Code::position_out_of_range, 2, 2, 2});
}

TEST_CASE("gradients of normalised rows of every size, with gaps between them") {
    adverse_layernorm_backward().also({{{"N", 1'171}, {"C", 907}}}).sizes();
    adverse_layernorm_backward().gaps();
}

TEST_CASE("gradients of normalised rows with empty axes, every refusal and after other calls") {
    adverse_layernorm_backward().empty_axes();
    adverse_layernorm_backward().special_cases();
    adverse_layernorm_backward().also({{{"N", 1'037}, {"C", 257}}}).history();
    adverse_layernorm_backward().after(adverse_layernorm());
}

TEST_CASE("gradients follow values that changed since they were normalised") {
    const auto backward = [](const Grid<float>& x, const Grid<float>& dout) {
        Grid<float> dx(x.rows(), x.cols());
        std::vector<float> dgain(x.cols()), dbias(x.cols());
        expect_status(subject::layernorm_rows_backward(x, one4, 1e-5F, dout, dx, dgain, dbias), Status{});
        return dx;
    };
    Random random = harness::random();
    // Whoever keeps moments may look at few elements to see whether they hold, or at what does not depend on
    // their order.
    auto rows = random_grid<float>(random, 3, 9);
    const auto through = random_grid<float>(random, 3, 9);
    const std::vector<float> ones(9, 1.0F), zeros(9, 0.0F);
    const auto expect_after = [&](const auto& change) {
        Grid<float> forth(3, 9);
        expect_status(subject::layernorm_rows(rows, ones, zeros, 1e-3F, forth), Status{});
        change();
        expect_normalised_gradients(rows, through, ones, 0, random);
    };
    for (std::size_t at = 0; at < 27; ++at) {
        INFO("value ", at, " changed in between");
        expect_after([&] { rows.cells()[at] += 2; });
    }
    for (const std::size_t other : {1, 2}) {
        INFO("rows 0 and ", other, " were exchanged in between");
        expect_after([&] { std::ranges::swap_ranges(rows.row(0), rows.row(other)); });
    }
    const auto dout = random_grid<float>(random, 3, 4);
    const auto changed = random_grid<float>(random, 3, 4);
    const Grid<float> want = backward(changed, dout);
    auto x = random_grid<float>(random, 3, 4);
    Grid<float> out(3, 4);
    expect_status(subject::layernorm_rows(x, one4, zero4, 1e-5F, out), Status{});
    std::ranges::copy(changed.cells(), x.cells().begin());
    expect_identical("dx of values that changed in place", backward(x, dout), want);
}

TEST_CASE("gradients of normalised rows beyond element 2^32" * large) {
    adverse_layernorm_backward().far();
}

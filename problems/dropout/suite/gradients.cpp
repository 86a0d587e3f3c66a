#include "fixtures.h"

using namespace suite;

namespace {

/// The gradient through `dropout`, after another micro-batch has passed.
void expect_gradient(const Grid<float>& x, const Grid<float>& dout, Dropout dropout, Dropout another,
                     Grid<float> dx) {
    Grid<float> out(x.rows(), x.cols());
    expect_status(subject::forward(x, dropout, out), Status{});
    expect_status(subject::forward(x, another, out), Status{});
    expect_status(subject::backward(dout, dropout, dx), Status{});
    expect_dropped("dx", dx, dout, dropout);
}

} // namespace

TEST_CASE("backward uses the same mask and the same factor") {
    // Its first value is dropped, and that of the other batch is not: a zero would tell less.
    Dropout first = training(0.75F, 0, 0), second = training(0.25F, 0, 0);
    while (reference::survives(first, 0))
        ++first.seed;
    for (second.seed = first.seed + 1; !reference::survives(second, 0);)
        ++second.seed;
    expect_gradient(numbered(3, 8, 8), numbered(3, 8, 8), first, second, Grid<float>(3, 8));

    for_random_sizes(16, {{"N", 1, 9}, {"C", 1, 33}, {"P", 0, 3}, {"S", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         constexpr float p[] = {0.1F, 0.25F, 0.5F, 0.9F};
                         const std::size_t N = size["N"], C = size["C"];
                         const auto x = random_grid<float>(random, N, C);
                         const auto dout = random_grid<float>(random, N, C, C + size["S"]);
                         const Dropout dropout = training(p[size["P"]], random.bits(), random.bits());
                         expect_gradient(x, dout, dropout, training(0.5F, random.bits(), 0),
                                         Grid<float>(N, C, C + 2 * size["S"]));
                     });
    // A mask that is kept under a number made of seed and offset is that of others with the same number.
    const auto ones = numbered(4, 16, 16);
    for (const auto& [seed, offset] : std::initializer_list<std::pair<std::uint64_t, std::uint64_t>>{
             {5, 6}, {6, 5}, {7, 4}, {4, 7}, {3, 10}, {10, 3}, {15, 2}, {2, 15}, {0, 3}, {3, 0}, {11, 0}}) {
        Grid<float> out(4, 16), dx(4, 16);
        const Dropout dropout = training(0.5F, seed, offset);
        expect_status(subject::backward(ones, dropout, dx), Status{});
        expect_dropped("dx after others whose seed and offset have the same sum, xor or product", dx, ones,
                       dropout);
        expect_status(subject::forward(ones, dropout, out), Status{});
        expect_dropped("out after others whose seed and offset have the same sum, xor or product", out, ones,
                       dropout);
    }
}

TEST_CASE("forward and backward are adjoint") {
    // Dropout with a given mask is linear, so <J x, g> = <x, J^T g>. p = 0.5 and 0.75 double and quadruple,
    // and integers make every operation exact: the two sides are equal.
    Random random = harness::random();
    for (const float p : {0.5F, 0.75F}) {
        Grid<float> x(16, 33), g(16, 33), out(16, 33), dx(16, 33);
        for (std::size_t i = 0; i < x.cells().size(); ++i) {
            x.cells()[i] = static_cast<float>(random.integer(1, 99));
            g.cells()[i] = static_cast<float>(random.integer(1, 99));
        }
        const Dropout dropout = training(p, random.bits(), random.bits());
        expect_status(subject::forward(x, dropout, out), Status{});
        expect_status(subject::backward(g, dropout, dx), Status{});
        double left = 0, right = 0;
        for (std::size_t i = 0; i < x.cells().size(); ++i) {
            left += static_cast<double>(out.cells()[i]) * g.cells()[i];
            right += static_cast<double>(x.cells()[i]) * dx.cells()[i];
        }
        expect_near("<J x, g> - <x, J^T g>", left - right, 0, 0);
    }
}

TEST_CASE("what is dropped is zero whatever it was") {
    // seed 0, p = 0.5: mask 1 0 0 1 0 0 0 1
    const Grid<float> x(2, 4,
                        {infinity, -infinity, not_a_number, not_a_number, //
                         -3.0F, infinity, -not_a_number, -infinity});
    const Grid<float> want(2, 4, {infinity, 0.0F, 0.0F, not_a_number, 0.0F, 0.0F, 0.0F, -infinity});
    Grid<float> out(2, 4), dx(2, 4);
    expect_status(subject::forward(x, training(0.5F, 0), out), Status{});
    expect_close("out", out, want, Tolerance{});
    expect_true("what is dropped is +0, not -0", !any_negative_zero(out.cells()),
                "zeros have the wrong sign");
    expect_status(subject::backward(x, training(0.5F, 0), dx), Status{});
    expect_close("dx", dx, want, Tolerance{});
    expect_true("what is dropped is +0, not -0", !any_negative_zero(dx.cells()), "zeros have the wrong sign");
}

TEST_CASE("gradients of every size, with gaps between rows") {
    adverse_backward().also({{{"N", 1'171}, {"C", 907}}}).sizes();
    adverse_backward().gaps();
}

TEST_CASE("gradients with empty axes, special options and after other calls") {
    // After a forward call of as many elements in another shape, with the same mask.
    const std::pair<std::size_t, std::size_t> shapes[] = {{6, 4}, {4, 6}, {2, 12}, {24, 1}, {3, 8}};
    for (const auto& [N, C] : shapes)
        for (const auto& [rows, cols] : shapes) {
            INFO("forward of ", N, " x ", C, ", then backward of ", rows, " x ", cols);
            const Dropout same = training(0.5F, 9);
            Grid<float> x(N, C), out(N, C), dout(rows, cols), dx(rows, cols), want(rows, cols);
            x.fill(1);
            dout.fill(1);
            expect_status(subject::forward(x, same, out), Status{});
            expect_status(subject::backward(dout, same, dx), Status{});
            reference::backward(dout, same, want);
            expect_identical("dx", dx, want);
        }
    adverse_backward().empty_axes();
    adverse_backward().special_cases();
    adverse_backward().history();
    adverse_backward().after(adverse_forward());
    adverse_backward().after(adverse_embed(false));
}

TEST_CASE("gradients beyond element 2^32" * large) {
    adverse_backward().far();
}

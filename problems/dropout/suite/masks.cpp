#include "fixtures.h"

using namespace suite;

namespace {

constexpr std::uint64_t all_ones = ~std::uint64_t{0};

/// The mask that `forward` applies to N rows of C ones, as what it leaves of them.
Grid<float> ones_after(Dropout dropout, std::size_t N, std::size_t C) {
    Grid<float> x(N, C), out(N, C);
    x.fill(1.0F);
    expect_status(subject::forward(x, dropout, out), Status{});
    return out;
}

double count_zeros(std::span<const float> values) {
    return static_cast<double>(std::ranges::count(values, 0.0F));
}

/// n independent trials of probability p have n p successes, give or take this much, but for a probability of
/// alpha: from 2 exp(-t^2 / (2 (n p (1 - p) + t / 3))) = alpha (Bernstein's inequality).
double scatter(double n, double p, double alpha) {
    const double l = std::log(2 / alpha);
    return l / 3 + std::sqrt(l * l / 9 + 2 * n * p * (1 - p) * l);
}

/// The inverse of z ^= z >> shift.
std::uint64_t undo_shift(std::uint64_t z, int shift) {
    std::uint64_t result = z;
    for (int known = shift; known < 64; known += shift)
        result = z ^ (result >> shift);
    return result;
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration (each step doubles the right bits).
std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int step = 0; step < 6; ++step)
        x *= 2 - odd * x;
    return x;
}

/// The seed whose bits at `index` are `bits`: the generator is a bijection.
std::uint64_t seed_that_gives(std::uint64_t bits, std::uint64_t index) {
    std::uint64_t z = undo_shift(bits, 31) * inverse(0x94D049BB133111EBu);
    z = undo_shift(z, 27) * inverse(0xBF58476D1CE4E5B9u);
    return undo_shift(z, 30) - (index + 1) * 0x9E3779B97F4A7C15u;
}

Grid<float> special_values() {
    return Grid<float>(2, 4,
                       {-0.0F, std::bit_cast<float>(0x7fc12345U), infinity, -infinity, //
                        std::numeric_limits<float>::denorm_min(), -1.5F, 0.0F,
                        std::numeric_limits<float>::max()});
}

} // namespace

TEST_CASE("the mask follows the published generator") {
    // uniform(0, 0), uniform(0, 1), ... = 0.883 0.432 0.026 0.971 0.106 0.327 0.174 0.772 0.246 0.952 0.396
    // 0.761
    const bool half[] = {true, false, false, true, false, false, false, true, false, true, false, true};
    for (std::uint64_t e = 0; e < 12; ++e) {
        expect_equal("survives, seed 0, p = 0.5", subject::survives(training(0.5F, 0), e), half[e]);
        expect_equal("survives, seed 0, p = 0.1", subject::survives(training(0.1F, 0), e), e != 2);
    }
    expect_equal("survives, offset 7", subject::survives(training(0.5F, 0, 7), 2), true);
    expect_equal("survives, offset 7", subject::survives(training(0.5F, 0, 7), 1), false);
    // uniform(1234567, 0) = 0.350, uniform(1234567, 1) = 0.174
    expect_equal("survives, seed 1234567, p = 0.25", subject::survives(training(0.25F, 1234567), 0), true);
    expect_equal("survives, seed 1234567, p = 0.25", subject::survives(training(0.25F, 1234567), 1), false);
    expect_equal("survives without train", subject::survives({0.9F, false, 0, 0}, 2), true);
    Random random = harness::random();
    for (int draw = 0; draw < 64; ++draw) {
        const Dropout dropout = training(0.5F, random.bits(), random.bits());
        const std::uint64_t element = random.bits();
        expect_equal("survives, any seed, offset and element", subject::survives(dropout, element),
                     reference::survives(dropout, element));
    }
}

TEST_CASE("four values and their mask") {
    const Grid<float> x(1, 4, {0.5F, 0.3F, -0.2F, 0.8F});
    Grid<float> out(1, 4);
    expect_status(subject::forward(x, training(0.1F, 0, 1), out), Status{}); // mask 1 0 1 1
    expect_close("out", out, Grid<double>(1, 4, {0.5 / 0.9, 0, -0.2 / 0.9, 0.8 / 0.9}),
                 Tolerance{.rel = 8 * u}); // 0.1, 0.2 and 0.8 are rounded themselves
    expect_status(subject::forward(x, training(0.1F, 0), out), Status{}); // mask 1 1 0 1
    expect_close("out, offset 0", out, Grid<double>(1, 4, {0.5 / 0.9, 0.3 / 0.9, 0, 0.8 / 0.9}),
                 Tolerance{.rel = 8 * u});
}

TEST_CASE("without training nothing changes") {
    const auto x = special_values();
    for (const float p : {0.0F, 0.1F, 0.5F, 1.0F}) {
        Grid<float> out(2, 4), dx(2, 4);
        expect_status(subject::forward(x, {p, false, 5, 9}, out), Status{});
        expect_identical("out", out, x);
        expect_status(subject::backward(x, {p, false, 5, 9}, dx), Status{});
        expect_identical("dx", dx, x);
    }
}

TEST_CASE("a probability of zero changes nothing") {
    const auto x = special_values();
    for (const float p : {0.0F, -0.0F}) {
        Grid<float> out(2, 4), dx(2, 4);
        expect_status(subject::forward(x, training(p, 5, 9), out), Status{});
        expect_identical("out", out, x);
        expect_status(subject::backward(x, training(p, 5, 9), dx), Status{});
        expect_identical("dx", dx, x);
    }
}

TEST_CASE("a probability of one drops everything") {
    const auto x = special_values();
    Grid<float> out(2, 4), dx(2, 4), want(2, 4);
    want.fill(0.0F);
    expect_status(subject::forward(x, training(1.0F, 5), out), Status{});
    expect_identical("out", out, want);
    expect_status(subject::backward(x, training(1.0F, 5), dx), Status{});
    expect_identical("dx", dx, want);
}

TEST_CASE("a probability outside zero and one is refused") {
    const auto x = numbered(2, 3, 3);
    for (const float p :
         {-0.1F, 1.1F, -1e-30F, 1.0000001F, 2.0F, not_a_number, -not_a_number, infinity, -infinity})
        for (const bool train : {true, false}) {
            const Dropout dropout{p, train, 1, 2};
            Grid<float> out(2, 3), dx(2, 3);
            expect_status(subject::forward(x, dropout, out), Status{Code::invalid_argument});
            expect_untouched("out", out);
            expect_status(subject::backward(x, dropout, dx), Status{Code::invalid_argument});
            expect_untouched("dx", dx);
            Cube<float> sum(1, 2, 3);
            expect_status(subject::embed(Cube<float>(1, 2, 3, {1, 2, 3, 4, 5, 6}), x, false, dropout, sum),
                          Status{Code::invalid_argument});
            expect_untouched("out of embed", sum);
        }
}

TEST_CASE("every value is zero or scaled") {
    for_random_sizes(
        20, {{"N", 1, 12}, {"C", 1, 40}, {"P", 0, 4}, {"S", 0, 3}}, [](const Sizes& size, Random& random) {
            constexpr float p[] = {0.1F, 0.25F, 0.5F, 0.9F, 0.999F};
            const auto x = random_grid<float>(random, size["N"], size["C"], size["C"] + size["S"]);
            const Dropout dropout = training(p[size["P"]], random.bits(), random.bits());
            Grid<float> out(size["N"], size["C"], size["C"] + 2 * size["S"]);
            expect_status(subject::forward(x, dropout, out), Status{});
            expect_dropped("out", out, x, dropout);
        });
    // Where p is 1/2 the factor is 2, and twice a number below the normal ones is exact.
    const Grid<float> tiny(
        2, 4, {0x1p-149F, -0x1p-149F, 0x5p-140F, 0x1.8p-127F, -0x7p-148F, 0x1p-127F, 0, 0x3p-149F});
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Dropout dropout = training(0.5F, seed, 0);
        Grid<float> want(2, 4), out(2, 4), dx(2, 4);
        for (std::size_t e = 0; e < 8; ++e)
            want(e / 4, e % 4) = reference::survives(dropout, e) ? 2 * tiny(e / 4, e % 4) : 0;
        expect_status(subject::forward(tiny, dropout, out), Status{});
        expect_close("out of tiny numbers", out, want, Tolerance{});
        expect_status(subject::backward(tiny, dropout, dx), Status{});
        expect_close("dx of tiny numbers", dx, want, Tolerance{});
    }
}

TEST_CASE("the share of dropped values is p") {
    Random random = harness::random();
    const std::size_t C = 65'536;
    const double n = C;
    for (const float p : {0.1F, 0.25F, 0.5F, 0.9F})
        expect_near("the number of zeros, of 65,536",
                    count_zeros(ones_after(training(p, random.bits()), 1, C).cells()), n * p,
                    scatter(n, p, 1e-9 / 4));
}

TEST_CASE("the mean stays and the variance grows") {
    Random random = harness::random();
    const std::size_t C = 65'536;
    const double n = C;
    for (const double p : {0.1, 0.5}) {
        Grid<float> x(1, C), out(1, C);
        for (std::size_t i = 0; i < C; ++i) // mean of the squares exactly 1, values not all equal
            x.cells()[i] = i % 2 == 0 ? 1.0F : -1.0F;
        expect_status(subject::forward(x, training(static_cast<float>(p), random.bits()), out), Status{});
        double size = 0, square = 0;
        for (const float value : out.cells()) {
            size += std::abs(value) / n;
            square += static_cast<double>(value) * value / n;
        }
        // Both are the number of survivors times a constant; 1e-6 is for the roundings.
        const double share = scatter(n, p, 1e-9 / 2) / n;
        expect_near("the mean size, 1 before", size, 1, share / (1 - p) + 1e-6);
        expect_near("the mean square, 1 before and 1 / (1 - p) after", square, 1 / (1 - p),
                    share / ((1 - p) * (1 - p)) + 1e-6);
    }
}

TEST_CASE("rows columns and lanes are dropped alike") {
    Random random = harness::random();
    const std::size_t N = 256, C = 256;
    const auto out = ones_after(training(0.5F, random.bits()), N, C);
    std::vector<double> rows(N, 0.0), columns(C, 0.0), lanes(8, 0.0);
    for (std::size_t r = 0; r < N; ++r)
        for (std::size_t c = 0; c < C; ++c)
            if (out(r, c) == 0) ++rows[r], ++columns[c], ++lanes[c % 8];
    const double alpha = 1e-9 / static_cast<double>(N + C + 8);
    expect_close("the number of zeros in each row, of 256", rows, std::vector<double>(N, C / 2.0),
                 Tolerance{.abs = scatter(C, 0.5, alpha)});
    expect_close("the number of zeros in each column, of 256", columns, std::vector<double>(C, N / 2.0),
                 Tolerance{.abs = scatter(N, 0.5, alpha)});
    expect_close("the number of zeros in each lane, of 8", lanes, std::vector<double>(8, N * C / 16.0),
                 Tolerance{.abs = scatter(N * C / 8.0, 0.5, alpha)});
}

TEST_CASE("neighbours are dropped independently") {
    Random random = harness::random();
    const std::size_t N = 256, C = 256;
    const auto out = ones_after(training(0.5F, random.bits()), N, C);
    const auto cells = out.cells();
    for (const std::size_t distance : {1, 2, 3, 4, 7, 8, 16, 64, 256, 1024}) {
        // Of each 2 * distance elements the first half is paired with the second: no element serves two
        // pairs, so the pairs are independent, and both are dropped with probability 1/4.
        double pairs = 0, both = 0;
        for (std::size_t e = 0; e + distance < cells.size(); ++e) {
            if (e / distance % 2 == 1) continue;
            ++pairs;
            both += cells[e] == 0 && cells[e + distance] == 0;
        }
        expect_near("pairs of which both are dropped", both, pairs / 4, scatter(pairs, 0.25, 1e-9 / 10));
    }
}

TEST_CASE("how many are dropped varies from call to call") {
    Random random = harness::random();
    const std::uint64_t seed = random.bits();
    std::vector<double> counts;
    for (std::uint64_t call = 0; call < 64; ++call)
        counts.push_back(count_zeros(ones_after(training(0.5F, seed, 32 * call), 1, 32).cells()));
    // The most frequent count of 32 trials has probability 0.14, so 64 counts are all equal with 0.14^63.
    expect_true("64 calls do not all drop the same number",
                std::ranges::any_of(counts, [&](double count) { return count != counts[0]; }));
}

TEST_CASE("the offset continues the mask") {
    Random random = harness::random();
    const std::uint64_t seed = random.bits(), offset = random.bits();
    const auto x = numbered(48, 48, 48);
    Grid<float> whole(48, 48), again(48, 48);
    expect_status(subject::forward(x, training(0.5F, seed, offset), whole), Status{});
    expect_status(subject::forward(x, training(0.5F, seed, offset), again), Status{});
    expect_identical("the same call again", again, whole);

    for (const std::size_t first : {0, 8}) { // rows [first, first + 40), with what came before in the offset
        const Matrix<const float> piece(x.row(first).data(), 40, 48);
        Grid<float> out(40, 48), want(40, 48);
        std::ranges::copy(whole.cells().subspan(first * 48, 40 * 48), want.cells().begin());
        expect_status(subject::forward(piece, training(0.5F, seed, offset + first * 48), out), Status{});
        expect_identical("forty rows, fed on their own", out, want);
    }

    const auto one = ones_after(training(0.5F, seed, offset), 64, 64);
    const auto next = ones_after(training(0.5F, seed, offset + 64 * 64), 64, 64);
    double alike = 0;
    for (std::size_t i = 0; i < one.cells().size(); ++i)
        alike += (one.cells()[i] == 0) == (next.cells()[i] == 0);
    expect_near("elements treated alike by two calls", alike, 2048, scatter(4096, 0.5, 1e-9));
}

TEST_CASE("another seed is another mask") {
    Random random = harness::random();
    const std::uint64_t seed = random.bits();
    const auto first = ones_after(training(0.25F, seed), 1, 16'384);
    for (const std::uint64_t other : {seed + 1, seed ^ (std::uint64_t{1} << 63), random.bits()}) {
        const auto second = ones_after(training(0.25F, other), 1, 16'384);
        for (const std::size_t shift : {0, 1, 2}) { // nor the same mask a little further on
            const std::size_t n = first.cells().size() - shift;
            double alike = 0;
            for (std::size_t i = 0; i < n; ++i)
                alike += (first.cells()[i + shift] == 0) == (second.cells()[i] == 0);
            // p^2 + (1 - p)^2 of them
            expect_near("elements treated alike under two seeds", alike, 0.625 * static_cast<double>(n),
                        scatter(static_cast<double>(n), 0.625, 1e-9 / 9));
        }
    }
}

TEST_CASE("neither shape nor stride changes the mask") {
    const Dropout dropout = training(0.5F, 7, 2000);
    struct Shape {
        std::size_t rows, cols, stride, out_stride;
    };
    for (const Shape& shape : {Shape{1, 96, 96, 96}, Shape{8, 12, 12, 17}, Shape{12, 8, 19, 8},
                               Shape{96, 1, 1, 3}, Shape{3, 32, 33, 40}}) {
        const auto x = numbered(shape.rows, shape.cols, shape.stride);
        Grid<float> out(shape.rows, shape.cols, shape.out_stride);
        expect_status(subject::forward(x, dropout, out), Status{});
        for (std::size_t r = 0; r < shape.rows; ++r)
            for (std::size_t c = shape.cols; c < shape.out_stride && r + 1 < shape.rows; ++c)
                expect_true("padding of the output stays untouched",
                            std::isnan(out.cells()[r * shape.out_stride + c]));
        expect_dropped("out", out, x, dropout);
    }
}

TEST_CASE("the mask is exact at its edges") {
    // uniform is (k + 1/2) 2^-52 with k the upper 52 bits: 2^-53, 3 * 2^-53, ... 1 - 2^-53.
    const auto survives = [](std::uint64_t k, float p) {
        const Dropout dropout = training(p, seed_that_gives(k << 12, 6), 4);
        // The element is one of a matrix, too, forward and backward.
        const Grid<float> x(1, 4, {1, 2, 3, 4});
        Grid<float> out(1, 4), dx(1, 4), want(1, 4);
        expect_status(reference::forward(x, dropout, want), Status{});
        expect_status(subject::forward(x, dropout, out), Status{});
        expect_close("out at the edge of the mask", out, want, {.rel = 0x4p-24});
        expect_status(subject::backward(x, dropout, dx), Status{});
        expect_close("dx at the edge of the mask", dx, want, {.rel = 0x4p-24});
        return subject::survives(dropout, 2);
    };
    constexpr std::uint64_t last = all_ones >> 12;
    expect_equal("survives, uniform 2^-53, p = 0", survives(0, 0.0F), true);
    expect_equal("survives, uniform 2^-53, p = 2^-54", survives(0, 0x1p-54F), true);
    expect_equal("survives, uniform 2^-53, p = 2^-53", survives(0, 0x1p-53F), true);
    expect_equal("survives, uniform 2^-53, p = 2^-52", survives(0, 0x1p-52F), false);
    expect_equal("survives, uniform 3 * 2^-53, p = 3 * 2^-53", survives(1, 0x3p-53F), true);
    expect_equal("survives, uniform 3 * 2^-53, p = 2^-51", survives(1, 0x1p-51F), false);
    expect_equal("survives, uniform 2^-53, p = 3 * 2^-54", survives(0, 0x3p-54F), false);
    expect_equal("survives, uniform 11 * 2^-53, p = 21 * 2^-54", survives(5, 0x15p-54F), true);
    expect_equal("survives, uniform 11 * 2^-53, p = 23 * 2^-54", survives(5, 0x17p-54F), false);
    expect_equal("survives, uniform 1 - 2^-53, p = 1 - 2^-24", survives(last, 0x0.ffffffp0F), true);
    expect_equal("survives, uniform 1 - 2^-53, p = 1", survives(last, 1.0F), false);
    expect_equal("survives, uniform 1/2 - 2^-53, p = 1/2", survives(last >> 1, 0.5F), false);
    expect_equal("survives, uniform 1/2 + 2^-53, p = 1/2", survives((last >> 1) + 1, 0.5F), true);
}

TEST_CASE("the counter goes beyond 32 bits and wraps beyond 64") {
    // One after the other, with equal seeds: windows that end where numbers do, and that go on from 0.
    Grid<float> ones(1, 24);
    ones.fill(1);
    const std::uint64_t begins[] = {all_ones - 47, all_ones - 23, all_ones - 9, 0, 7, 14};
    for (const std::uint64_t before : begins)
        for (const std::uint64_t after : begins) {
            INFO("offset ", before, ", then ", after);
            for (const std::uint64_t offset : {before, after}) {
                Grid<float> got(1, 24), want(1, 24);
                expect_status(subject::forward(ones, training(0.5F, 3, offset), got), Status{});
                reference::forward(ones, training(0.5F, 3, offset), want);
                expect_identical("out", got, want);
            }
        }
    // seed 0, p = 0.5: indices 0, 1, 2, 3 survive, fall, fall, survive
    const Grid<float> x(1, 6, {1, 2, 3, 4, 5, 6});
    for (const std::uint64_t offset : {all_ones - 1, (std::uint64_t{1} << 32) - 3, std::uint64_t{1} << 63,
                                       std::uint64_t{12'345'678'901'234}}) {
        Grid<float> out(1, 6);
        expect_status(subject::forward(x, training(0.5F, 0, offset), out), Status{});
        expect_dropped("out", out, x, training(0.5F, 0, offset));
    }
    expect_equal("survives, offset 2^64 - 1, element 1", subject::survives(training(0.5F, 0, all_ones), 1),
                 true);
    expect_equal("survives, offset 2^64 - 1, element 2", subject::survives(training(0.5F, 0, all_ones), 2),
                 false);
    for (int i = 0; i < 16; ++i) {
        const Dropout dropout = training(0.5F, 0, (std::uint64_t{1} << 32) + static_cast<std::uint64_t>(i));
        expect_equal("survives, index beyond 2^32", subject::survives(dropout, 5),
                     reference::survives(dropout, 5));
    }
}

TEST_CASE("sizes that do not fit are refused and none at all is fine") {
    const auto x = numbered(3, 4, 4);
    const auto expect_refused = [&](std::size_t rows, std::size_t cols, float p) {
        Grid<float> out(rows, cols), dx(rows, cols);
        expect_status(subject::forward(x, training(p, 1), out), Status{Code::shape_mismatch});
        expect_untouched("out", out);
        expect_status(subject::backward(x, training(p, 1), dx), Status{Code::shape_mismatch});
        expect_untouched("dx", dx);
    };
    expect_refused(2, 4, 0.5F);
    expect_refused(3, 5, 0.5F);
    expect_refused(4, 3, 0.5F);         // as many elements, other shape
    expect_refused(2, 4, not_a_number); // sizes come first

    const Cube<float> tokens(2, 3, 2, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3});
    const auto expect_embed_refused = [&](std::size_t rows, std::size_t cols, std::size_t B, std::size_t T,
                                          std::size_t C, float p) {
        const auto positions = numbered(rows, cols, cols);
        Cube<float> out(B, T, C);
        expect_status(subject::embed(tokens, positions, true, training(p, 1), out),
                      Status{Code::shape_mismatch});
        expect_untouched("out of embed", out);
    };
    expect_embed_refused(4, 2, 2, 3, 2, 0.5F);
    expect_embed_refused(2, 2, 2, 3, 2, 0.5F);
    expect_embed_refused(3, 3, 2, 3, 2, 0.5F);
    expect_embed_refused(3, 2, 1, 3, 2, 0.5F);
    expect_embed_refused(3, 2, 2, 2, 2, 0.5F);
    expect_embed_refused(3, 2, 2, 3, 3, 0.5F);
    expect_embed_refused(3, 2, 3, 2, 2, 0.5F);
    expect_embed_refused(3, 3, 2, 3, 2, not_a_number);

    Grid<float> no_rows(0, 4), no_columns(3, 0);
    expect_status(subject::forward(no_rows, training(0.5F, 1), no_rows), Status{});
    expect_status(subject::backward(no_columns, training(0.5F, 1), no_columns), Status{});
    Cube<float> no_batch(0, 3, 2);
    expect_status(subject::embed(no_batch, numbered(3, 2, 2), true, training(0.5F, 1), no_batch), Status{});
}

TEST_CASE("masks of seeds, offsets and elements at the ends of 64 bits") {
    Adverse survives("survives", subject::survives, &reference::survives, {},
                     dropout_options<Dropout>("dropout", false), any_number_64("element"));
    survives.special_cases();
    survives.history();
}

TEST_CASE("dropout of every size, with gaps between rows") {
    adverse_forward().also({{{"N", 1'171}, {"C", 907}}}).sizes();
    adverse_forward().gaps();
}

TEST_CASE("dropout with empty axes, special options and after other calls") {
    adverse_forward().empty_axes();
    adverse_forward().special_cases();
    adverse_forward().history();
    adverse_forward().after(adverse_backward());
    adverse_forward().after(adverse_embed(false));
}

TEST_CASE("dropout beyond element 2^32" * large) {
    adverse_forward().far();
}

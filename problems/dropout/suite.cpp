#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/adversity/embedding.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// N: rows, C: channels, B: batch, T: time (tokens of a sequence), e: the number of an element in reading
// order
using namespace contract;
using namespace harness;

// The mask is defined to the bit, so most tests compare with it. The others grade the definition itself, or a
// generator that departs from it, by what random masks have in common: there a bound is Bernstein's
// inequality, which holds for every n and p, and the bounds of one test together are missed by a right mask
// with probability 1e-9 at most.
//
// Bounds on values. One rounding to float changes a value by at most u = 2^-24 of it. 1 - p, its inverse and
// the product with x are three roundings; the contract allows for 4 u.
namespace {

constexpr double u = 0x1p-24;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint64_t all_ones = ~std::uint64_t{0};

Dropout training(float p, std::uint64_t seed, std::uint64_t offset = 0) {
    return {p, true, seed, offset};
}

/// What has to come out: 0, or x / (1 - p), or x itself.
double dropped(double x, Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return x;
    return reference::survives(dropout, element) ? x / (1 - static_cast<double>(dropout.p)) : 0;
}

bool any_negative_zero(std::span<const float> values) {
    return std::ranges::any_of(values, [](float x) { return x == 0 && std::signbit(x); });
}

/// Holds `got` against dropout of `x`, which has no zeros.
void expect_dropped(std::string_view what, const Grid<float>& got, const Grid<float>& x, Dropout dropout) {
    Grid<double> want(x.rows(), x.cols()), bound(x.rows(), x.cols());
    for (std::size_t r = 0; r < x.rows(); ++r)
        for (std::size_t c = 0; c < x.cols(); ++c) {
            want(r, c) = dropped(x(r, c), dropout, r * x.cols() + c);
            bound(r, c) = 4 * u * std::abs(want(r, c));
        }
    expect_within(what, got, want, bound);
    for (std::size_t r = 0; r < x.rows(); ++r)
        expect_true("what is dropped is +0, not -0", !any_negative_zero(got.row(r)),
                    "zeros have the wrong sign");
}

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

/// Element e is e + 1, so that none is zero and each is known by its value.
Grid<float> numbered(std::size_t rows, std::size_t cols, std::size_t stride) {
    Grid<float> grid(rows, cols, stride);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            grid(r, c) = static_cast<float>(r * cols + c + 1);
    return grid;
}

const ExtentDomain rows_of_x{.name = "N", .ordinary = 3}, channels{.name = "C", .ordinary = 5};

/// Values that no factor can make denormal or infinite, and those that keep their kind.
Contents values() {
    return {normal(), {{"quiet NaN, infinities and zeros", nan_and_infinity()}}};
}

/// 4 u for what the contract allows, 1 u because the expected value is rounded itself.
template <class Out>
std::vector<double> within_five_roundings(const Matrix<const float>& x, const Dropout& dropout, const Out&) {
    std::vector<double> bounds;
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c)
            bounds.push_back(5 * u * std::abs(dropped(x(r, c), dropout, r * x.cols + c)));
    return bounds;
}

/// What is dropped is +0, and without dropout nothing changes.
std::function<bool(std::size_t)> exact_elements(const Dropout& dropout) {
    return [dropout](std::size_t i) {
        return !dropout.train || dropout.p == 0 || !reference::survives(dropout, i);
    };
}

template <class Function>
auto adverse_rows(const char* name, const Function& function,
                  Status (*wanted)(Matrix<const float>, Dropout, Matrix<float>), const char* in,
                  const char* out) {
    return Adverse(name, function, wanted, {rows_of_x, channels}, matrix_in(in, "N", "C", values()),
                   dropout_options<Dropout>("dropout"), matrix_out(out, "N", "C"))
        .bounds(out, within_five_roundings<Matrix<float>>)
        .exact(out, [](const auto&, const Dropout& dropout, const auto&) { return exact_elements(dropout); });
}
auto adverse_forward() {
    return adverse_rows("forward", subject::forward, &reference::forward, "x", "out");
}
auto adverse_backward() {
    return adverse_rows("backward", subject::backward, &reference::backward, "dout", "dx");
}

/// The bounds of the contract for embed, and one rounding of the expected value.
std::vector<double> bounds_of_embed(const Tensor3<const float>& tokens, const Matrix<const float>& positions,
                                    bool normalise, const Dropout& dropout, const Tensor3<float>& out) {
    std::vector<double> bounds;
    if (positions.rows != tokens.time || positions.cols != tokens.channels || out.batch != tokens.batch)
        return std::vector<double>(out.batch * out.time * out.channels);
    const std::size_t C = tokens.channels;
    const double kept = dropout.train ? 1 / (1 - static_cast<double>(dropout.p)) : 1;
    for (std::size_t b = 0; b < tokens.batch; ++b)
        for (std::size_t t = 0; t < tokens.time; ++t) {
            double mean = 0, variance = 0, largest = 0;
            std::vector<double> row;
            for (std::size_t c = 0; c < C; ++c) {
                row.push_back(double{tokens(b, t, c)} + positions(t, c));
                mean += row.back() / static_cast<double>(C);
                largest = std::max(largest, std::abs(row.back()));
            }
            for (const double s : row)
                variance += (s - mean) * (s - mean) / static_cast<double>(C);
            const double root = std::sqrt(variance + 1e-5);
            for (const double s : row)
                bounds.push_back(normalise ? 2 * u * kept *
                                                     (10 * std::abs((s - mean) / root) + 2 * largest / root) +
                                                 u * kept * std::abs((s - mean) / root)
                                           : 21 * u * kept * std::abs(s));
        }
    return bounds;
}

/// `normalise` is as ordinary calls have it; special ones have the other.
auto adverse_embed(bool normalise) {
    const auto named = [](bool value) { return Named<bool>{value ? "true" : "false", value}; };
    return Adverse("embed", subject::embed, &reference::embed,
                   {{.name = "B", .ordinary = 2, .largest = 130},
                    {.name = "T", .ordinary = 3, .largest = 1'025},
                    channels},
                   tensor_in("tokens", "B", "T", "C",
                             {normal(),
                              {{"some NaN", some_nan()},
                               {"values around 1,000", around(1'000)},
                               {"tiny values", tiny()},
                               {"nearly equal values", nearly_equal()}}}),
                   matrix_in("positions", "T", "C", {}, Checked::all),
                   value<bool>(
                       "normalise", [=](const Extents&, Random&) { return named(normalise); },
                       [=](const Extents&) { return std::vector<Named<bool>>{named(!normalise)}; }),
                   dropout_options<Dropout>("dropout"), tensor_out("out", "B", "T", "C"))
        .bounds("out", bounds_of_embed)
        .exact("out", [](const auto&, const auto&, bool, const Dropout& dropout, const auto&) {
            return [dropout](std::size_t i) { return !reference::survives(dropout, i); };
        });
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

/// The gradient through `dropout`, after another micro-batch has passed.
void expect_gradient(const Grid<float>& x, const Grid<float>& dout, Dropout dropout, Dropout another,
                     Grid<float> dx) {
    Grid<float> out(x.rows(), x.cols());
    expect_status(subject::forward(x, dropout, out), Status{});
    expect_status(subject::forward(x, another, out), Status{});
    expect_status(subject::backward(dout, dropout, dx), Status{});
    expect_dropped("dx", dx, dout, dropout);
}

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

TEST_CASE("dropout beyond element 2^32" * large) {
    adverse_forward().far();
}

TEST_CASE("gradients beyond element 2^32" * large) {
    adverse_backward().far();
}

TEST_CASE("positions beyond element 2^32" * large) {
    adverse_embed(false).far();
}

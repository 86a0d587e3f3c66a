#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/adversity/seeds.h"
#include "subject/proxies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <vector>

// The generator is compared to the bit; of the tables only the distribution is judged, because many
// transformations are right. Every statistical bound is 6.5 standard errors (two-sided 8.0e-11), the
// chi-square bound has probability 1e-10, and no test makes more than ten such comparisons: a right table is
// refused at most once in 1e9 runs of a test.

using namespace contract;
using namespace harness;

namespace {

constexpr double sigmas = 6.5;
constexpr std::size_t bins = 64;
constexpr const char* other_distribution = "the values have another distribution";
constexpr double chi_square_limit = 162.5; // P(chi-square with 63 degrees of freedom > 162.5) = 1e-10
constexpr std::uint64_t golden_gamma = 0x9E3779B97F4A7C15u;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

struct Moments {
    double mean = 0, std = 0, skewness = 0, kurtosis = 0;
};

Moments moments(std::span<const float> values) {
    const auto n = static_cast<double>(values.size());
    Moments m;
    for (const float x : values)
        m.mean += x / n;
    double second = 0, third = 0, fourth = 0;
    for (const float x : values) {
        const double d = x - m.mean;
        second += d * d / n;
        third += d * d * d / n;
        fourth += d * d * d * d / n;
    }
    m.std = std::sqrt(second);
    m.skewness = third / (second * m.std);
    m.kurtosis = fourth / (second * second);
    return m;
}

template <class Predicate>
double share(std::span<const float> values, Predicate holds) {
    return static_cast<double>(std::count_if(values.begin(), values.end(), holds)) /
           static_cast<double>(values.size());
}

/// Half width of a 6.5 sigma interval around a share p of n independent draws.
double share_bound(double p, std::size_t n) {
    return sigmas * std::sqrt(p * (1 - p) / static_cast<double>(n));
}

/// Chi-square of the values over 64 intervals that N(mean, std^2), cut to [a, b], fills equally. A value
/// outside [a, b] or NaN counts for no interval, so it can only make the statistic larger.
double chi_square(std::span<const float> values, double mean, double std, double a, double b) {
    const double low = normal_cdf((a - mean) / std);
    const double mass = normal_cdf((b - mean) / std) - low;
    std::array<double, bins> count{};
    for (const float x : values) {
        const double position = (normal_cdf((x - mean) / std) - low) / mass * bins;
        if (position >= 0 && position <= bins)
            ++count[std::min(bins - 1, static_cast<std::size_t>(position))];
    }
    const double expected = static_cast<double>(values.size()) / bins;
    double sum = 0;
    for (const double n : count)
        sum += (n - expected) * (n - expected) / expected;
    return sum;
}

/// How often the value comes that comes most often.
std::size_t most_equal(std::span<const float> values) {
    std::vector<float> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    std::size_t most = 0;
    for (auto first = sorted.begin(); first != sorted.end();) {
        const auto end = std::upper_bound(first, sorted.end(), *first);
        most = std::max(most, static_cast<std::size_t>(end - first));
        first = end;
    }
    return most;
}

/// Nothing outside [a, b], and nothing piled up at its ends or within. A continuous value
/// rounds to a bound, or to any one float, with probability below 1e-6, so more than 8 of at most 1,048,576
/// has probability below 1e-11.
void expect_between(std::span<const float> values, float a, float b) {
    expect_true("no value lies outside [a, b]",
                std::all_of(values.begin(), values.end(), [&](float x) { return x >= a && x <= b; }));
    expect_true(
        "at most 8 values are exactly on a bound (a value outside is drawn anew, not moved to the bound)",
        std::count_if(values.begin(), values.end(), [&](float x) { return x == a || x == b; }) <= 8);
    constexpr std::size_t many = 1 << 16; // more take too long to sort
    expect_true("no value within [a, b] comes again and again",
                values.size() > many || most_equal(values) <= 8);
}

/// What min(x^2, 9) of a normal value is above its mean, in standard deviations: it has mean 0.99500728 and
/// variance 1.9014515, and the cut keeps the tails short.
double size_of(float x) {
    return (std::min(static_cast<double>(x) * x, 9.0) - 0.99500728) / std::sqrt(1.9014515);
}

/// A value near 0 comes from an angle near a right one: coarse angles leave the middle empty. Each share has
/// P(|x| < s) = erf(s / sqrt(2)).
void expect_dense_middle(std::span<const float> values, double std) {
    for (const double within : {0x1p-4, 0x1p-6, 0x1p-8, 0x1p-10}) {
        const double p = std::erf(within / std::sqrt(2.0));
        INFO("within ", within, " deviations");
        expect_near("the share of the values in the middle",
                    share(values, [&](float x) { return std::fabs(x) < within * std; }), p,
                    share_bound(p, values.size()));
    }
}

/// Large tables are preceded by a small one of the same kind: what is plainly wrong shows there, and when
/// known mistakes are compared call by call, most part ways before a million values are drawn.
constexpr std::size_t small_rows = 2, small_cols = 16;

Grid<float> normal_table(std::size_t rows, std::size_t cols, float std, std::uint64_t seed) {
    if (rows * cols > small_rows * small_cols) normal_table(small_rows, small_cols, std, seed);
    Grid<float> table(rows, cols);
    subject::init_normal(table, std, seed);
    return table;
}

Grid<float> truncated_table(std::size_t rows, std::size_t cols, float mean, float std, float a, float b,
                            std::uint64_t seed) {
    if (rows * cols > small_rows * small_cols) truncated_table(small_rows, small_cols, mean, std, a, b, seed);
    Grid<float> table(rows, cols);
    expect_status(subject::init_truncated_normal(table, mean, std, a, b, seed), Status{});
    return table;
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

/// The seed whose output number `index` is `bits`: SplitMix64 is a bijection, so every output can be asked
/// for.
std::uint64_t seed_that_gives(std::uint64_t bits, std::uint64_t index) {
    std::uint64_t z = undo_shift(bits, 31) * inverse(0x94D049BB133111EBu);
    z = undo_shift(z, 27) * inverse(0xBF58476D1CE4E5B9u);
    return undo_shift(z, 30) - (index + 1) * golden_gamma;
}

constexpr std::uint64_t all_ones = ~std::uint64_t{0};

/// Whatever the values are, they are those of a dense table with more rows, made by another call.
void dense_init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    Grid<float> dense(table.rows + 3, table.cols);
    subject::init_normal(dense, std, seed);
    for (std::size_t r = 0; r < table.rows; ++r)
        std::ranges::copy(dense.row(r), table.row(r));
}
Status dense_init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                                   std::uint64_t seed) {
    if (const Status status = reference::init_truncated_normal(Matrix<float>(), mean, std, a, b, seed);
        status != Status{})
        return status;
    Grid<float> dense(table.rows + 3, table.cols);
    subject::init_truncated_normal(dense, mean, std, a, b, seed);
    for (std::size_t r = 0; r < table.rows; ++r)
        std::ranges::copy(dense.row(r), table.row(r));
    return {};
}

Parameter<float> real(const char* name, Named<float> ordinary, std::vector<Named<float>> special) {
    return value<float>(
        name, [ordinary](const Extents&, Random&) { return ordinary; },
        [special](const Extents&) { return special; });
}
const std::vector<Named<float>> not_finite{{"NaN", not_a_number, true},
                                           {"NaN with its sign", -not_a_number, true},
                                           {"infinity", infinity, true},
                                           {"-infinity", -infinity, true}};

std::vector<Named<float>> with_not_finite(std::vector<Named<float>> list) {
    list.insert(list.end(), not_finite.begin(), not_finite.end());
    return list;
}

const std::vector<ExtentDomain> table_size{{.name = "V", .ordinary = 5}, {.name = "C", .ordinary = 6}};

auto adverse_normal() {
    return Adverse("init_normal", subject::init_normal, &dense_init_normal, table_size,
                   matrix_out("table", "V", "C", Checked::nothing),
                   real("std", {"1", 1}, {{"0.02", 0.02F}, {"1e-20", 1e-20F}, {"1e20", 1e20F}}),
                   any_number_64("seed"));
}
auto adverse_truncated() {
    return Adverse("init_truncated_normal", subject::init_truncated_normal, &dense_init_truncated_normal,
                   table_size, matrix_out("table", "V", "C", Checked::nothing),
                   real("mean", {"0", 0}, with_not_finite({{"0.5", 0.5F}, {"-0", -0.0F}})),
                   real("std", {"1", 1},
                        with_not_finite({{"0.75", 0.75F},
                                         {"0", 0, true},
                                         {"-0", -0.0F, true},
                                         {"-1", -1, true},
                                         {"-1e-45", -1e-45F, true}})),
                   real("a", {"-2", -2},
                        {{"-infinity", -infinity},
                         {"-1e30", -1e30F},
                         {"NaN", not_a_number, true},
                         {"NaN with its sign", -not_a_number, true},
                         {"b", 2, true},
                         {"above b", 2.0000002F, true},
                         {"infinity", infinity, true}}),
                   real("b", {"2", 2},
                        {{"infinity", infinity},
                         {"1e30", 1e30F},
                         {"NaN", not_a_number, true},
                         {"NaN with its sign", -not_a_number, true},
                         {"a", -2, true},
                         {"below a", -2.0000002F, true},
                         {"-infinity", -infinity, true}}),
                   any_number_64("seed"));
}
/// `last`: ordinary calls mean the last row, which lies farthest away.
auto adverse_padding_row(bool last = false) {
    const auto index = value<std::int64_t>(
        "padding_idx",
        [last](const Extents& size, Random& random) {
            const std::size_t V = std::max<std::size_t>(size["V"], 1);
            const auto row = static_cast<std::int64_t>(last ? V - 1 : random.size(0, V - 1));
            return Named<std::int64_t>{std::to_string(row), row};
        },
        [](const Extents& size) {
            const auto V = static_cast<std::int64_t>(size["V"]);
            std::vector<Named<std::int64_t>> list;
            const auto add = [&](std::string words, std::int64_t index) {
                list.push_back({std::move(words), index, index < -V || index >= V});
            };
            add("0", 0), add("-1", -1), add("V - 1", V - 1), add("-V", -V), add("V", V), add("V + 1", V + 1);
            add("-V - 1", -V - 1), add("2^31", 1LL << 31), add("2^32", 1LL << 32);
            add("2^32 + 1", (1LL << 32) + 1), add("-2^32", -(1LL << 32)), add("-2^31 - 1", -(1LL << 31) - 1);
            add("2^63 - 1", std::numeric_limits<std::int64_t>::max());
            add("-2^63", std::numeric_limits<std::int64_t>::min());
            return list;
        });
    return Adverse("zero_padding_row", subject::zero_padding_row, &reference::zero_padding_row, table_size,
                   matrix_sum("table", "V", "C",
                              {normal(), {{"NaN payloads, infinities and denormals", any_bits()}}},
                              Checked::nothing),
                   index);
}

} // namespace

TEST_CASE("the generator gives the published numbers") {
    // Number 1 comes first of all: whoever steps on from the last number may believe that it was number 0.
    expect_equal("random_bits(0, 1)", subject::random_bits(0, 1), std::uint64_t{0x6E789E6AA1B965F4u});
    expect_equal("random_bits(0, 0)", subject::random_bits(0, 0), std::uint64_t{0xE220A8397B1DCDAFu});
    expect_equal("random_bits(0, 2)", subject::random_bits(0, 2), std::uint64_t{0x06C45D188009454Fu});
    expect_equal("random_bits(1234567, 0)", subject::random_bits(1234567, 0),
                 std::uint64_t{6457827717110365317u});
    expect_equal("random_bits(1234567, 1)", subject::random_bits(1234567, 1),
                 std::uint64_t{3203168211198807973u});
    expect_equal("random_bits(2^64 - 1, 2^64 - 1)", subject::random_bits(all_ones, all_ones),
                 std::uint64_t{0xB4D055FCF2CBBD7Bu});
    Random random = harness::random();
    for (int draw = 0; draw < 32; ++draw) {
        const std::uint64_t seed = random.bits(), index = random.bits();
        expect_equal("random_bits of any seed and index", subject::random_bits(seed, index),
                     reference::random_bits(seed, index));
    }
}

TEST_CASE("a uniform number keeps half a step away from zero and one") {
    expect_equal("uniform(0, 0)", subject::uniform(0, 0), 0x1.c4415072f63b9p-1); // 0.88331080821364…
    expect_equal("uniform where all 64 bits are 0", subject::uniform(seed_that_gives(0, 5), 5), 0x1p-53);
    expect_equal("uniform where all 64 bits are 1", subject::uniform(seed_that_gives(all_ones, 9), 9),
                 1 - 0x1p-53);
    Random random = harness::random();
    for (int draw = 0; draw < 32; ++draw) {
        const std::uint64_t seed = random.bits(), index = random.bits();
        expect_equal("uniform of any seed and index", subject::uniform(seed, index),
                     reference::uniform(seed, index));
    }
}

TEST_CASE("one seed gives one table and the next seed another") {
    Random random = harness::random();
    const std::uint64_t seed = random.bits();
    const auto first = normal_table(48, 64, 1.0f, seed);
    expect_identical("table made a second time from the same seed", normal_table(48, 64, 1.0f, seed), first);
    const auto truncated = truncated_table(48, 64, 0.0f, 1.0f, -2.0f, 2.0f, seed);
    expect_identical("truncated table made a second time from the same seed",
                     truncated_table(48, 64, 0.0f, 1.0f, -2.0f, 2.0f, seed), truncated);

    // Two floats of N(0, 1) agree with probability below 1e-6: more than 8 of 3,072 pairs below 1e-25.
    const auto next = normal_table(48, 64, 1.0f, seed + 1);
    for (std::size_t shift = 0; shift < 4; ++shift) {
        std::size_t ahead = 0, behind = 0;
        for (std::size_t e = 0; e + shift < first.cells().size(); ++e) {
            ahead += next.cells()[e] == first.cells()[e + shift];
            behind += next.cells()[e + shift] == first.cells()[e];
        }
        expect_true("the table of seed + 1 is no copy of the table of seed, shifted or not",
                    ahead + behind <= 8, "tables of neighbouring seeds hold the same numbers");
    }

    // The first element of a table may be drawn with others: what is left over belongs to that seed.
    for (std::size_t cols = 1; cols <= 5; ++cols) {
        normal_table(1, cols, 1.0f, seed + 7);
        truncated_table(1, cols, 0.0f, 1.0f, -2.0f, 2.0f, seed + 7);
        Grid<float> again(48, 64), cut(48, 64);
        subject::init_normal(again, 1.0f, seed);
        expect_identical("table made after a short one of another seed", again, first);
        expect_status(subject::init_truncated_normal(cut, 0.0f, 1.0f, -2.0f, 2.0f, seed), Status{});
        expect_identical("truncated table made after a short one of another seed", cut, truncated);
    }
}

TEST_CASE("a normal table has the mean and the spread that were asked for") {
    Random random = harness::random();
    const auto table = normal_table(85, 768, 0.02f, random.bits());
    expect_true("rows 0 and 1 differ", !std::ranges::equal(table.row(0), table.row(1)), "rows are equal");
    const std::size_t n = table.cells().size();
    const auto count = static_cast<double>(n);
    const Moments m = moments(table.cells());
    expect_near("the mean of the values", m.mean, 0, sigmas * 0.02 / std::sqrt(count));
    expect_near("the standard deviation of the values", m.std, 0.02, sigmas * 0.02 / std::sqrt(2 * count));
    expect_near("the share beyond two standard deviations",
                share(table.cells(), [](float x) { return std::fabs(x) > 0.04f; }), 0.0455003,
                share_bound(0.0455, n));

    double length = 0;
    for (std::size_t r = 0; r < table.rows(); ++r) {
        double squares = 0;
        for (const float x : table.row(r))
            squares += static_cast<double>(x) * x;
        length += std::sqrt(squares) / 85;
    }
    // A spread of which the square is no float is one like the others.
    const auto ordinary = normal_table(5, 16, 1.0F, 9);
    for (const float std : {0x1p80F, 0x1p-80F}) {
        Grid<float> scaled(5, 16);
        for (std::size_t e = 0; e < ordinary.cells().size(); ++e)
            scaled.cells()[e] = std * ordinary.cells()[e];
        expect_close("a table of another spread", normal_table(5, 16, std, 9), scaled, {.rel = 1e-6});
    }
    // The length of a row has mean 0.02 * sqrt(767.5) = 0.5541 and standard deviation 0.02 / sqrt(2).
    expect_near("the mean length of a row, of 768", length, 0.5541, sigmas * 0.02 / std::sqrt(2.0 * 85));
}

TEST_CASE("every row and every column is drawn afresh") {
    Random random = harness::random();
    const auto table = normal_table(96, 160, 1.0f, random.bits());
    const auto product = [&](std::size_t distance) {
        double sum = 0;
        const std::size_t pairs = table.cells().size() - distance;
        for (std::size_t e = 0; e < pairs; ++e)
            sum += static_cast<double>(table.cells()[e]) * table.cells()[e + distance];
        return sum / static_cast<double>(pairs);
    };
    const double bound = sigmas / std::sqrt(95.0 * 160.0);
    expect_near("correlation of a column with the next", product(1), 0, bound);
    expect_near("correlation of a row with the next", product(160), 0, bound);
    expect_near("correlation of a row with the one after the next", product(320), 0,
                bound * std::sqrt(95.0 / 94.0));
    std::set<float> distinct(table.cells().begin(), table.cells().end());
    // About 15 pairs of floats agree by chance among 15,360; 200 have probability below 1e-100.
    expect_true("the 15,360 values are nearly all distinct", distinct.size() >= 15'160);
}

TEST_CASE("neither shape nor stride changes the numbers") {
    Random random = harness::random();
    const std::uint64_t seed = random.bits();
    const auto check = [&](auto&& init) {
        Grid<float> table(12, 10), reshaped(4, 30), odd(8, 15), column(120, 1), shorter(7, 10),
            strided(12, 10, 17);
        strided.fill(-77.0f);
        init(table);
        init(reshaped);
        init(odd);
        init(column);
        init(shorter);
        init(strided);
        expect_identical("the same 120 elements as 4 rows of 30", reshaped.cells(), table.cells());
        expect_identical("the same 120 elements as 8 rows of 15", odd.cells(), table.cells());
        expect_identical("the same 120 elements as a column", column.cells(), table.cells());
        expect_identical("the first 7 rows alone", shorter.cells(), table.cells().first(70));
        expect_identical("the same table with a stride of 17", strided, table);
        for (const std::size_t more : {5'003, 66'003, 300'007}) {
            Grid<float> large(1, more);
            init(large);
            expect_identical("the first elements of a table of " + std::to_string(more),
                             large.cells().first(120), table.cells());
        }
        bool untouched = true;
        for (std::size_t r = 0; r < 12; ++r)
            for (std::size_t c = 10; c < 17; ++c)
                untouched = untouched && strided.cells()[r * 17 + c] == -77.0f;
        expect_true("what lies between cols and stride stays untouched", untouched);
        expect_true("every element was written", std::none_of(table.cells().begin(), table.cells().end(),
                                                              [](float x) { return std::isnan(x); }));
    };
    check([&](Grid<float>& grid) { subject::init_normal(grid, 1.0f, seed); });
    check([&](Grid<float>& grid) { subject::init_normal(grid, 0.3f, seed); });
    check([&](Grid<float>& grid) {
        expect_status(subject::init_truncated_normal(grid, 0.0f, 1.0f, -1.0f, 1.0f, seed), Status{});
    });
}

TEST_CASE("a truncated normal keeps its bounds without piling up there") {
    Random random = harness::random();
    const auto table = truncated_table(85, 768, 0.0f, 1.0f, -3.0f, 3.0f, random.bits());
    expect_between(table.cells(), -3.0f, 3.0f);
    expect_true("rows 0 and 1 differ", !std::ranges::equal(table.row(0), table.row(1)), "rows are equal");
    const auto count = static_cast<double>(table.cells().size());
    const Moments m = moments(table.cells());
    expect_near("the mean of the values", m.mean, 0, sigmas * 0.986578 / std::sqrt(count));
    // The standard error of a standard deviation is std * sqrt((kurtosis - 1) / (4 n)), with
    // kurtosis 2.828886 here.
    expect_near("the standard deviation of the values", m.std, 0.986578,
                sigmas * 0.986578 * std::sqrt(1.828886 / (4 * count)));
}

TEST_CASE("bounds are absolute values whatever the mean and the spread") {
    Random random = harness::random();
    struct Case {
        float mean, std, a, b;
        double want_mean, want_std, kurtosis; // of the truncated distribution
    };
    // The second has mean -1 + 0.5 * 0.282786110727 and standard deviation 0.5 * 0.784946963404.
    const Case cases[] = {{1.0f, 2.0f, -1.0f, 3.0f, 1.0, 1.079120187510, 1.940920},
                          {-1.0f, 0.5f, -1.5f, 0.5f, -0.858606944637, 0.392473481702, 2.794179}};
    for (const Case& it : cases) {
        const auto table = truncated_table(64, 512, it.mean, it.std, it.a, it.b, random.bits());
        expect_between(table.cells(), it.a, it.b);
        const auto count = static_cast<double>(table.cells().size());
        const Moments m = moments(table.cells());
        expect_near("the mean of the values", m.mean, it.want_mean, sigmas * it.want_std / std::sqrt(count));
        expect_near("the standard deviation of the values", m.std, it.want_std,
                    sigmas * it.want_std * std::sqrt((it.kurtosis - 1) / (4 * count)));
        expect_true("chi-square over 64 intervals stays below its limit",
                    chi_square(table.cells(), it.mean, it.std, it.a, it.b) <= chi_square_limit,
                    other_distribution);
    }
    // Spreads at both ends of float, and sides without a bound.
    constexpr float least = std::numeric_limits<float>::denorm_min();
    constexpr float most = std::numeric_limits<float>::max() / 16;
    for (const float std : {least, 0x1p-140F, std::numeric_limits<float>::min(), 1.0F, most})
        for (const auto& [a, b] : {std::pair{-infinity, infinity}, {0.0F, infinity}, {-infinity, 0.0F}}) {
            INFO("std = ", std, ", a = ", a, ", b = ", b);
            const auto table = truncated_table(4, 16, 0, std, a, b, 7);
            const float low = std::max(a, -9 * std), high = std::min(b, 9 * std);
            expect_true("every value lies within the bounds, and within nine spreads",
                        std::ranges::all_of(table.cells(), [&](float x) { return low <= x && x <= high; }));
        }
    expect_identical("1 + next to nothing", truncated_table(1, 4, 1, least, -infinity, infinity, 7),
                     Grid<float>(1, 4, {1, 1, 1, 1}));
}

TEST_CASE("values that make no distribution are refused and nothing is written") {
    struct Case {
        const char* what;
        float mean, std, a, b;
    };
    const Case cases[] = {{"std 0", 0, 0, -1, 1},
                          {"std negative", 0, -1, -1, 1},
                          {"std NaN", 0, not_a_number, -1, 1},
                          {"std infinite", 0, infinity, -1, 1},
                          {"mean NaN", not_a_number, 1, -1, 1},
                          {"mean infinite", infinity, 1, -1, infinity},
                          {"a NaN", 0, 1, not_a_number, 1},
                          {"b NaN", 0, 1, -1, not_a_number},
                          {"a equal to b", 0, 1, 0.5, 0.5},
                          {"a above b", 0, 1, 1, -1}};
    for (const Case& it : cases) {
        Grid<float> table(2, 3);
        expect_status(subject::init_truncated_normal(table, it.mean, it.std, it.a, it.b, 7),
                      Status{Code::invalid_argument});
        expect_untouched(it.what, table);
    }
}

TEST_CASE("the padding row becomes zero and no other row changes") {
    Random random = harness::random();
    const std::size_t rows = random.size(4, 9), cols = random.size(3, 20), stride = cols + random.size(1, 5);
    const auto count = static_cast<std::int64_t>(rows);
    for (const std::int64_t index :
         {std::int64_t{0}, std::int64_t{2}, count - 1, std::int64_t{-1}, -count + 1, -count}) {
        auto table = random_grid<float>(random, rows, cols, stride);
        auto want = table;
        for (float& x : want.row(static_cast<std::size_t>(index < 0 ? index + count : index)))
            x = 0.0f;
        expect_status(subject::zero_padding_row(table, index), Status{});
        expect_identical("table", table.cells(), want.cells());
    }
    for (const std::int64_t index : {count, -count - 1, std::numeric_limits<std::int64_t>::min()}) {
        auto table = random_grid<float>(random, rows, cols);
        const auto want = table;
        expect_status(subject::zero_padding_row(table, index), Status::id_out_of_range(0, index, rows));
        expect_identical("table after a refused index", table, want);
    }
}

TEST_CASE("a narrow interval in the tail is filled by drawing again") {
    Random random = harness::random();
    const auto tail = truncated_table(32, 64, 0.0f, 1.0f, 2.0f, 3.5f, random.bits()); // 44 draws a value
    expect_between(tail.cells(), 2.0f, 3.5f);
    const auto count = static_cast<double>(tail.cells().size());
    expect_near("the mean of the values", moments(tail.cells()).mean, 2.358978,
                sigmas * 0.308296 / std::sqrt(count));
    expect_true("chi-square over 64 intervals of [2, 3.5] stays below its limit",
                chi_square(tail.cells(), 0, 1, 2, 3.5) <= chi_square_limit, other_distribution);

    // As little as the contract promises: 0.0107 above 2.3, 0.0102 around the mean.
    const auto scarce = truncated_table(64, 128, 0.0f, 1.0f, 2.3f, 4.5f, random.bits());
    expect_between(scarce.cells(), 2.3f, 4.5f);
    const std::span<const float> each = scarce.cells();
    std::size_t equal = 0;
    for (std::size_t e = 1; e < each.size(); ++e)
        equal += each[e] == each[e - 1] ? 1 : 0;
    // 0.003 are expected; four have a probability below 1e-11.
    expect_true("values that take many draws are none of their neighbours'", equal < 4,
                "values that take many draws are equal");
    expect_between(truncated_table(64, 128, 0.0f, 1.0f, -0.0128f, 0.0128f, random.bits()).cells(), -0.0128f,
                   0.0128f);

    // One value in 28,000 still lies outside after 1,000 draws, and half of these below 0. That a right one
    // is exactly 0 has a probability below 1e-15.
    for (int call = 0; call < 8; ++call) {
        const auto patient = truncated_table(64, 256, 0.0f, 1.0f, 0.0f, 0.0257f, random.bits());
        expect_true("no value is moved to the bound 0, however many draws it takes",
                    std::ranges::count(patient.cells(), 0.0F) == 0,
                    "values that take many draws are moved to a bound");
        // Some six pairs of 16,384 values among 25 million floats are equal by chance.
        expect_true("99 of 100 values differ, however many draws they take",
                    std::set<float>(patient.cells().begin(), patient.cells().end()).size() >=
                        patient.cells().size() / 100 * 99,
                    "values that take many draws are equal");
    }

    // Around 2^24 every second number is no float: so few lie in these intervals that both bounds are hit.
    for (const std::size_t floats : {2, 3}) {
        const float a = 0x1p24f, b = a + 2 * static_cast<float>(floats - 1);
        const auto few = truncated_table(128, 128, a, 1.0f, a, b, random.bits());
        expect_true("no value lies outside of few floats",
                    std::ranges::all_of(few.cells(), [&](float x) { return x >= a && x <= b; }));
        INFO("floats of ", a, " to ", b);
        expect_equal("the number of floats that come up",
                     std::set<float>(few.cells().begin(), few.cells().end()).size(), floats);
    }

    const auto half = truncated_table(32, 64, 0.0f, 1.0f, 0.0f, infinity, random.bits());
    expect_between(half.cells(), 0.0f, infinity);
    expect_near("the mean of the values", moments(half.cells()).mean, 0.797885,
                sigmas * 0.602810 / std::sqrt(count));
    expect_true("chi-square over 64 intervals above 0 stays below its limit",
                chi_square(half.cells(), 0, 1, 0, infinity) <= chi_square_limit, other_distribution);
    // Bounds that cut off half of the values, however far they lie from 0, measured in spreads.
    for (const auto& [mean, std, a, b] : {std::array{0.5F, 0.02F, -1.0F, 0.5F},
                                          {-3, 0.1F, -3, 50},
                                          {100, 1, 99.5F, infinity},
                                          {-20, 0.5F, -infinity, -20},
                                          {7, 8, 6, 1e30F}})
        expect_between(truncated_table(8, 64, mean, std, a, b, random.bits()).cells(), a, b);

    // However small or large the spread is.
    for (const float std : {std::numeric_limits<float>::denorm_min(), 0x1p-140F, 0x1p-128F, 0x1p-127F,
                            std::numeric_limits<float>::min(), std::numeric_limits<float>::max() / 16}) {
        INFO("std = ", std, ", bounds one spread from the mean");
        const auto table = truncated_table(8, 64, 0, std, -std, std, 7);
        expect_true("every value lies within the bounds",
                    std::ranges::all_of(table.cells(), [&](float x) { return -std <= x && x <= std; }));
    }
}

TEST_CASE("the smallest and the largest uniform number do no harm") {
    std::vector<std::uint64_t> seeds;
    for (const std::uint64_t bits : {std::uint64_t{0}, all_ones})
        for (std::uint64_t index = 0; index < 8; ++index) {
            const std::uint64_t extreme =
                seed_that_gives(bits, index); // as draw `index` of the table's own stream
            seeds.push_back(extreme);
            if (index > 1) continue;
            for (std::uint64_t element = 0; element < 4; ++element) // as draw `index` of one element's stream
                seeds.push_back(seed_that_gives(extreme, element));
        }
    for (const std::uint64_t seed : seeds) {
        const auto table = normal_table(4, 4, 1.0f, seed);
        // Box and Muller's radius is at most sqrt(2 * 53 * ln 2) = 8.572; a value beyond 9 has probability
        // 2e-19.
        expect_true(
            "every value is finite and below 9 standard deviations",
            std::all_of(table.cells().begin(), table.cells().end(), [](float x) { return std::fabs(x) < 9; }),
            "values lie too far out");
    }
}

TEST_CASE("a million normals fall evenly into sixty-four intervals") {
    Random random = harness::random();
    const auto table = normal_table(1021, 1027, 0.02f, random.bits()); // no multiple of any block
    const std::size_t n = table.cells().size();
    const auto count = static_cast<double>(n);
    const Moments m = moments(table.cells());
    expect_near("the mean of the values", m.mean, 0, sigmas * 0.02 / std::sqrt(count));
    expect_near("the standard deviation of the values", m.std, 0.02, sigmas * 0.02 / std::sqrt(2 * count));
    expect_near("the skewness of the values", m.skewness, 0, sigmas * std::sqrt(6 / count));
    expect_near("the kurtosis of the values", m.kurtosis, 3, sigmas * std::sqrt(24 / count));
    expect_near("the share beyond three standard deviations",
                share(table.cells(), [](float x) { return std::fabs(x) > 0.06f; }), 0.00269980,
                share_bound(0.0027, n));
    expect_true("chi-square over 64 intervals stays below its limit",
                chi_square(table.cells(), 0, 0.02, -infinity, infinity) <= chi_square_limit,
                other_distribution);
    expect_dense_middle(table.cells(), 0.02);
    float largest = 0;
    for (const float x : table.cells())
        largest = std::max(largest, std::fabs(x));
    // P(one beyond 8.2 sigma) = 3e-10 for a million values. 22.4 are expected beyond 4.25 sigma, which is as
    // far as a radius of 12 random bits reaches; P(one or none) = 4e-9.
    expect_true("the largest of a million values lies within 8.2 standard deviations", largest < 0.164f,
                "values lie too far out");
    expect_true("of a million values two or more lie beyond 4.25 standard deviations",
                std::ranges::count_if(table.cells(), [](float x) { return std::fabs(x) > 0.085f; }) >= 2,
                "the tails are too short");
}

TEST_CASE("a million truncated normals have the moments of theory") {
    Random random = harness::random();
    const auto table = truncated_table(1021, 1027, 0.0f, 1.0f, -3.0f, 3.0f, random.bits());
    expect_between(table.cells(), -3.0f, 3.0f);
    const auto count = static_cast<double>(table.cells().size());
    const Moments m = moments(table.cells());
    expect_near("the mean of the values", m.mean, 0, sigmas * 0.986578 / std::sqrt(count));
    expect_near("the standard deviation of the values", m.std, 0.986578,
                sigmas * 0.986578 * std::sqrt(1.828886 / (4 * count)));
    // By the delta method the standard error of this kurtosis is 3.25985 / sqrt(n).
    expect_near("the kurtosis of the values", m.kurtosis, 2.828886, sigmas * 3.25985 / std::sqrt(count));
    expect_true("chi-square over 64 intervals stays below its limit",
                chi_square(table.cells(), 0, 1, -3, 3) <= chi_square_limit, other_distribution);
    // An infinite bound is none: 25.8 of a million lie beyond 4.1 sigma, above -1; P(none) = 6e-12.
    for (const float side : {1.0f, -1.0f}) {
        const auto half = truncated_table(1021, 1027, 0.0f, 1.0f, side > 0 ? -1.0f : -infinity,
                                          side > 0 ? infinity : 1.0f, random.bits());
        expect_true("without a bound on one side values of a million lie beyond 4.1 standard deviations",
                    std::ranges::any_of(half.cells(), [&](float x) { return side * x > 4.1f; }),
                    "the tails are too short");
    }
}

TEST_CASE("neighbours tell nothing about each other") {
    Random random = harness::random();
    const auto table = normal_table(512, 512, 1.0f, random.bits());
    const auto cells = table.cells();
    for (const std::size_t distance : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{512}}) {
        double signs = 0, sizes = 0;
        const auto pairs = static_cast<double>(cells.size() - distance);
        for (std::size_t e = 0; e + distance < cells.size(); ++e) {
            signs += (cells[e] < 0) == (cells[e + distance] < 0) ? 1 : -1;
            sizes += size_of(cells[e]) * size_of(cells[e + distance]);
        }
        expect_near("correlation of the signs of neighbours", signs / pairs, 0, sigmas / std::sqrt(pairs));
        expect_near("correlation of the sizes of neighbours", sizes / pairs, 0, sigmas / std::sqrt(pairs));
    }

    // A radius of one table may come from what gave another one its angle.
    const std::uint64_t seed = random.bits();
    const auto one = normal_table(512, 512, 1.0f, seed), next = normal_table(512, 512, 1.0f, seed + 1);
    for (std::size_t distance = 0; distance < 3; ++distance) {
        const std::size_t pairs = one.cells().size() - distance;
        double ahead = 0, behind = 0;
        for (std::size_t e = 0; e < pairs; ++e) {
            ahead += size_of(next.cells()[e]) * size_of(one.cells()[e + distance]);
            behind += size_of(next.cells()[e + distance]) * size_of(one.cells()[e]);
        }
        const auto n = static_cast<double>(pairs);
        expect_near("correlation of sizes with the table of the next seed", ahead / n, 0,
                    sigmas / std::sqrt(n));
        expect_near("correlation of sizes with the table of the seed before", behind / n, 0,
                    sigmas / std::sqrt(n));
    }
}

TEST_CASE("numbers of seeds and indices at the ends of 64 bits") {
    Adverse bits("random_bits", subject::random_bits, &reference::random_bits, {}, any_number_64("seed"),
                 any_number_64("index"));
    Adverse uniform("uniform", subject::uniform, &reference::uniform, {}, any_number_64("seed"),
                    any_number_64("index"));
    expect_equal("uniform(0, 1), first of all", subject::uniform(0, 1), reference::uniform(0, 1));
    bits.special_cases();
    bits.history();
    uniform.special_cases();
    uniform.history();
}

TEST_CASE("an element does not depend on where its row lies") {
    adverse_normal().sizes();
    adverse_normal().gaps();
}

TEST_CASE("a table does not depend on earlier tables") {
    adverse_normal().empty_axes();
    adverse_normal().special_cases();
    adverse_normal().history();
}

TEST_CASE("seeds at the ends of 64 bits give tables of their own") {
    const auto cells = [](const Grid<float>& grid) {
        return Drawn{{grid.cells().begin(), grid.cells().end()}};
    };
    expect_own_numbers("normal tables", [&](std::uint64_t seed) {
        Grid<float> table(8, 32);
        subject::init_normal(table, 1, seed);
        return cells(table);
    });
    expect_own_numbers("truncated tables", [&](std::uint64_t seed) {
        Grid<float> table(4, 8);
        expect_status(subject::init_truncated_normal(table, 0, 1, -2, 2, seed), Status{});
        return cells(table);
    });
}

TEST_CASE("a truncated element does not depend on where its row lies") {
    adverse_truncated().sizes();
    adverse_truncated().gaps();
}

TEST_CASE("truncated tables with every refusal and after other tables") {
    adverse_truncated().empty_axes();
    adverse_truncated().special_cases();
    adverse_truncated().history();
    // Equal but for one number: values that are kept from before are those of another distribution.
    const std::uint64_t seed = harness::random().bits();
    const auto before = truncated_table(40, 60, 0, 1, -2, 2, seed);
    expect_between(truncated_table(40, 60, 0, 1, -2, 0.5f, seed).cells(), -2, 0.5f);
    truncated_table(40, 60, 0, 1, -2, 2, seed);
    expect_between(truncated_table(40, 60, 0, 1, -0.5f, 2, seed).cells(), -0.5f, 2);
    for (const auto& [mean, std] : {std::pair{0.5f, 1.0f}, {0.0f, 0.5f}}) {
        truncated_table(40, 60, 0, 1, -2, 2, seed);
        const auto other = truncated_table(40, 60, mean, std, -2, 2, seed);
        expect_true("another mean or spread gives another table",
                    !std::ranges::equal(other.cells(), before.cells()));
        expect_between(other.cells(), -2, 2);
        truncated_table(40, 60, -3, 2, -7, 1, seed); // nothing in common with it
        expect_identical("the same table after another one", truncated_table(40, 60, mean, std, -2, 2, seed),
                         other);
    }
}

TEST_CASE("padding rows at both ends and beyond") {
    adverse_padding_row().also({{{"V", 131'073}, {"C", 2}}}).sizes();
    adverse_padding_row().gaps();
    adverse_padding_row().empty_axes();
    adverse_padding_row().special_cases();
    adverse_padding_row().history();
}

TEST_CASE("many values reach far into the tails and repeat nothing" * large) {
    constexpr std::size_t seen = 64, pairs = std::size_t{1} << 18;
    const std::size_t most = std::size_t{1} << by_depth(20, 24);
    Grid<float> table(1, most + pairs);
    const std::uint64_t seed = harness::random().bits();
    subject::init_normal(table, 1, seed);
    const auto cells = table.cells();
    for (std::size_t distance = seen; distance <= most; distance *= 2) {
        std::size_t equal = 0;
        for (std::size_t e = 0; e < seen; ++e)
            equal += cells[e] == cells[distance + e] ? 1 : 0;
        // Three equal pairs of 64 have a probability below 1e-13.
        expect_true("elements that lie " + std::to_string(distance) + " apart have nothing in common",
                    equal < 3, "elements that lie far apart are equal");
        // The radius of one may come from what gave the other its angle: the correlation is 0.2 then.
        double ahead = 0, behind = 0;
        for (std::size_t e = 0; e < pairs; ++e) {
            ahead += cells[e] * size_of(cells[distance + e]);
            behind += cells[distance + e] * size_of(cells[e]);
        }
        INFO("elements that lie ", distance, " apart");
        for (const double sum : {ahead, behind})
            expect_near("the correlation with the size of others", sum / pairs, 0, sigmas / std::sqrt(pairs));
    }
    // 28 are expected in a graded run. In a thorough one 19.7 are, which is as far as a radius of 16 random
    // bits reaches; P(none) is below 3e-9.
    const float far = by_depth(4.25f, 4.86f);
    expect_true("one or more of the values lie beyond " + std::string(by_depth("4.25", "4.86")) +
                    " standard deviations",
                std::ranges::any_of(cells, [&](float x) { return std::fabs(x) > far; }),
                "the tails are too short");
    // Three equal values in a row have a probability below 1e-13, wherever they lie.
    for (const std::uint64_t next : {seed + 1, seed - 1, seed + 2}) {
        Grid<float> first(1, 3);
        subject::init_normal(first, 1, next);
        expect_true("a table does not begin as that of another seed goes on",
                    std::ranges::search(cells, first.cells()).empty());
    }
    // The same where half of the values are drawn again; eight equal pairs have a probability below 1e-20.
    constexpr std::size_t again = 4'096;
    Grid<float> drawn_again(1, most + again);
    expect_status(subject::init_truncated_normal(drawn_again, 0, 1, 0, infinity, seed), Status{});
    std::size_t equal = 0;
    for (std::size_t e = 0; e < again; ++e)
        equal += drawn_again.cells()[e] == drawn_again.cells()[most + e] ? 1 : 0;
    expect_true("truncated elements that lie 2^24 apart have nothing in common", equal < 8,
                "elements that lie far apart are equal");
}

TEST_CASE("a normal table beyond element 2^32" * large) {
    adverse_normal().far();
}

TEST_CASE("a truncated table beyond element 2^32" * large) {
    adverse_truncated().far();
}

TEST_CASE("a padding row beyond element 2^32" * large) {
    adverse_padding_row(true).far("V", Visits::few_rows);
}

#include "fixtures.h"

using namespace suite;

namespace {

template <class Predicate>
double share(std::span<const float> values, Predicate holds) {
    return static_cast<double>(std::count_if(values.begin(), values.end(), holds)) /
           static_cast<double>(values.size());
}

/// Half width of a 6.5 sigma interval around a share p of n independent draws.
double share_bound(double p, std::size_t n) {
    return sigmas * std::sqrt(p * (1 - p) / static_cast<double>(n));
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

/// Whatever the values are, they are those of a dense table with more rows, made by another call.
void dense_init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    Grid<float> dense(table.rows + 3, table.cols);
    subject::init_normal(dense, std, seed);
    for (std::size_t r = 0; r < table.rows; ++r)
        std::ranges::copy(dense.row(r), table.row(r));
}

auto adverse_normal() {
    return Adverse("init_normal", subject::init_normal, &dense_init_normal, table_size,
                   matrix_out("table", "V", "C", Checked::nothing),
                   real("std", {"1", 1}, {{"0.02", 0.02F}, {"1e-20", 1e-20F}, {"1e20", 1e20F}}),
                   any_number_64("seed"));
}

} // namespace

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

TEST_CASE("a million normals fall evenly into sixty-four intervals" * large) {
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

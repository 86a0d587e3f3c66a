#include "fixtures.h"

using namespace suite;

namespace {

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

const std::vector<Named<float>> not_finite{{"NaN", not_a_number, true},
                                           {"NaN with its sign", -not_a_number, true},
                                           {"infinity", infinity, true},
                                           {"-infinity", -infinity, true}};

std::vector<Named<float>> with_not_finite(std::vector<Named<float>> list) {
    list.insert(list.end(), not_finite.begin(), not_finite.end());
    return list;
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

} // namespace

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

TEST_CASE("a narrow interval in the tail is filled by drawing again" * large) {
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

TEST_CASE("a million truncated normals have the moments of theory" * large) {
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

TEST_CASE("a truncated table beyond element 2^32" * large) {
    adverse_truncated().far();
}

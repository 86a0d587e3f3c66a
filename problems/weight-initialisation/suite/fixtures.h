#pragma once

// What the tests of this suite share.

#include "harness/adversity/adverse.h"
#include "harness/adversity/seeds.h"
#include "harness/suite.h"
#include "subject/proxies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <vector>

using namespace contract;
using namespace harness;

// The generator is compared to the bit; of the tables only the distribution is judged, because many
// transformations are right. Every statistical bound is 6.5 standard errors (two-sided 8.0e-11), the
// chi-square bound has probability 1e-10, and no test makes more than ten such comparisons: a right table is
// refused at most once in 1e9 runs of a test.

namespace suite {

constexpr double sigmas = 6.5;
constexpr std::size_t bins = 64;
constexpr const char* other_distribution = "the values have another distribution";
constexpr double chi_square_limit = 162.5; // P(chi-square with 63 degrees of freedom > 162.5) = 1e-10

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

inline double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

struct Moments {
    double mean = 0, std = 0, skewness = 0, kurtosis = 0;
};

inline Moments moments(std::span<const float> values) {
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

/// Chi-square of the values over 64 intervals that N(mean, std^2), cut to [a, b], fills equally. A value
/// outside [a, b] or NaN counts for no interval, so it can only make the statistic larger.
inline double chi_square(std::span<const float> values, double mean, double std, double a, double b) {
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

/// Large tables are preceded by a small one of the same kind: what is plainly wrong shows there, and when
/// known mistakes are compared call by call, most part ways before a million values are drawn.
constexpr std::size_t small_rows = 2, small_cols = 16;

inline Grid<float> normal_table(std::size_t rows, std::size_t cols, float std, std::uint64_t seed) {
    if (rows * cols > small_rows * small_cols) normal_table(small_rows, small_cols, std, seed);
    Grid<float> table(rows, cols);
    subject::init_normal(table, std, seed);
    return table;
}

inline Grid<float> truncated_table(std::size_t rows, std::size_t cols, float mean, float std, float a,
                                   float b, std::uint64_t seed) {
    if (rows * cols > small_rows * small_cols) truncated_table(small_rows, small_cols, mean, std, a, b, seed);
    Grid<float> table(rows, cols);
    expect_status(subject::init_truncated_normal(table, mean, std, a, b, seed), Status{});
    return table;
}

inline Parameter<float> real(const char* name, Named<float> ordinary, std::vector<Named<float>> special) {
    return value<float>(
        name, [ordinary](const Extents&, Random&) { return ordinary; },
        [special](const Extents&) { return special; });
}

const std::vector<ExtentDomain> table_size{{.name = "V", .ordinary = 5}, {.name = "C", .ordinary = 6}};

} // namespace suite

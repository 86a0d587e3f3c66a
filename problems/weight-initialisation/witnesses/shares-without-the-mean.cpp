// Fault: The truncation's shares are cached by std, a and b, but not by the mean.
// Origin: round 23
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

namespace {

double share_below(double z) {
    return 0.5 * std::erfc(-z * std::numbers::sqrt2 / 2);
}

/// The z with share_below(z) = p, for 0 < p <= 1/2: Acklam's approximation and a step of Halley's.
double lower_quantile(double p) {
    double z;
    if (p < 0.02425) {
        const double q = std::sqrt(-2 * std::log(p));
        z = (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838e+00) * q -
               2.549732539343734e+00) *
                  q +
              4.374664141464968e+00) *
                 q +
             2.938163982698783e+00) /
            ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996e+00) * q +
              3.754408661907416e+00) *
                 q +
             1);
    } else {
        const double q = p - 0.5;
        const double s = q * q;
        z = (((((-3.969683028665376e+01 * s + 2.209460984245205e+02) * s - 2.759285104469687e+02) * s +
               1.383577518672690e+02) *
                  s -
              3.066479806614716e+01) *
                 s +
             2.506628277459239e+00) *
            q /
            (((((-5.447609879822406e+01 * s + 1.615858368580409e+02) * s - 1.556989798598866e+02) * s +
               6.680131188771972e+01) *
                  s -
              1.328068155288572e+01) *
                 s +
             1);
    }
    const double off = (share_below(z) - p) * std::sqrt(2 * std::numbers::pi) * std::exp(z * z / 2);
    return z - off / (1 + z * off / 2);
}

/// For 0 < p < 1.
double quantile(double p) {
    return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

/// What part of N(0, 1) to draw from: shares from `low` to `low + width`, and then perhaps the opposite.
/// Intervals above the mean are drawn from below it, where shares are small and precise.
struct Part {
    bool opposite = false;
    double low = 0;
    double width = 1;
};

Part part_of(float mean, float std, float a, float b) {
    // One table after another is filled with the same distribution.
    static float known_std = 1;
    static float known_a = -std::numeric_limits<float>::infinity();
    static float known_b = std::numeric_limits<float>::infinity();
    static Part known;
    if (std == known_std && a == known_a && b == known_b) return known;
    double from = (static_cast<double>(a) - mean) / std;
    double to = (static_cast<double>(b) - mean) / std;
    Part part;
    part.opposite = from > 0;
    if (part.opposite) {
        std::swap(from, to);
        from = -from;
        to = -to;
    }
    part.low = share_below(from);
    part.width = share_below(to) - part.low;
    known_std = std;
    known_a = a;
    known_b = b;
    known = part;
    return part;
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.rows == 0 || table.cols == 0) return;
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c, ++e)
            table(r, c) =
                static_cast<float>(static_cast<double>(std) * quantile(uniform(random_bits(seed, e), 0)));
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0 || std::isnan(a) || std::isnan(b) || a >= b)
        return {.code = Code::invalid_argument};
    if (table.rows == 0 || table.cols == 0) return {};
    const Part part = part_of(mean, std, a, b);
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows; ++r) {
        for (std::size_t c = 0; c < table.cols; ++c, ++e) {
            const std::uint64_t stream = random_bits(seed, e);
            double p = 1;
            for (std::uint64_t k = 0; p >= 1; ++k) // the sum may round up to 1
                p = part.low + part.width * uniform(stream, k);
            const double z = part.opposite ? -quantile(p) : quantile(p);
            table(r, c) = static_cast<float>(static_cast<double>(mean) + static_cast<double>(std) * z);
        }
    }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -rows || padding_idx >= rows)
        return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols == 0) return {};
    const std::int64_t r = padding_idx < 0 ? padding_idx + rows : padding_idx;
    std::fill_n(table.row(static_cast<std::size_t>(r)), table.cols, 0.0F);
    return {};
}

} // namespace exercise

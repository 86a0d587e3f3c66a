// accepted: inverts the distribution function; truncation maps one uniform number into the allowed part of it
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace exercise {
namespace {

double below(double z) {
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// z with P(N(0, 1) < z) = u. The first guess is formula 26.2.23 of Abramowitz and Stegun (within 4.5e-4);
/// two Newton steps bring it to the precision of double.
double quantile(double u) {
    if (u > 0.5) return -quantile(1.0 - u);
    const double t = std::sqrt(-2.0 * std::log(u));
    double z =
        (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
        t;
    for (int step = 0; step < 2; ++step) {
        const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
        z -= (below(z) - u) / density;
    }
    return z;
}

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) / 4503599627370496.0;
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c)
            table(r, c) = static_cast<float>(std * quantile(uniform(seed, r * table.cols + c)));
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std::isnan(a) || std::isnan(b))
        return {Code::invalid_argument};
    if (std <= 0.0f || b <= a) return {Code::invalid_argument};

    const double m = mean, s = std;
    const double low = below((a - m) / s), high = below((b - m) / s);
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const double u = low + (high - low) * uniform(seed, r * table.cols + c);
            table(r, c) = static_cast<float>(m + s * quantile(std::min(u, 1.0 - 0x1p-53)));
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    std::int64_t row = padding_idx;
    const auto count = static_cast<std::int64_t>(table.rows);
    if (row < 0 && row >= -count) row += count;
    if (row < 0 || row >= count) return Status::id_out_of_range(0, padding_idx, table.rows);
    float* begin = table.row(static_cast<std::size_t>(row));
    std::fill(begin, begin + table.cols, 0.0f);
    return {};
}

} // namespace exercise

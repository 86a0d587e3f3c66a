// right: normal numbers by the inverse of the distribution function (the rational approximation by Acklam, a random sign of its own), values beyond the largest float held there, rows backwards
#include "contract.h"
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = ++index * 0x9E3779B97F4A7C15u;
    z += seed;
    z ^= z >> 30;
    z *= 0xBF58476D1CE4E5B9u;
    z ^= z >> 27;
    z *= 0x94D049BB133111EBu;
    z ^= z >> 31;
    return z;
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    // 2 k + 1 has 53 bits: exact.
    return std::ldexp(static_cast<double>((random_bits(seed, index) >> 12) * 2 + 1), -53);
}

namespace {

double poly(double x, std::initializer_list<double> coefficients) {
    double value = 0;
    for (double k : coefficients)
        value = value * x + k;
    return value;
}

// x >= 0 with P(|Z| > x) = u: Acklam's approximation of the lower half, relative error 1.2e-9
double upper(double u) {
    const double p = u / 2;
    double x;
    if (p < 0.02425) {
        const double q = std::sqrt(-2 * std::log(p));
        x = poly(q, {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00, -2.549732539343734e+00,
                     4.374664141464968e+00, 2.938163982698783e+00}) /
            poly(q, {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00, 1});
    } else {
        const double q = p - 0.5, r = q * q;
        x = q *
            poly(r, {-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02, 1.383577518672690e+02,
                     -3.066479806614716e+01, 2.506628277459239e+00}) /
            poly(r, {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01,
                     -1.328068155288572e+01, 1});
    }
    return std::fabs(x);
}

struct Draws {
    std::uint64_t stream, k = 0;
    double operator()() {
        const double x = upper(uniform(stream, k));
        const bool negative = random_bits(stream, k + 1) >> 63;
        k += 2;
        return negative ? -x : x;
    }
};

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for (std::size_t r = table.rows; r-- > 0;)
        for (std::size_t c = table.cols; c-- > 0;)
            {
            constexpr double most = std::numeric_limits<float>::max();
            const double x = std * Draws{random_bits(seed, r * table.cols + c)}();
            table(r, c) = static_cast<float>(std::clamp(x, -most, most)); // finite, also for a std of 1e38
        }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b, std::uint64_t seed) {
    const bool fine = std::isfinite(mean) && std::isfinite(std) && std > 0 && a < b; // false for NaN
    if (!fine) return {.code = Code::invalid_argument};
    for (std::size_t r = table.rows; r-- > 0;)
        for (std::size_t c = table.cols; c-- > 0;) {
            Draws draw{random_bits(seed, r * table.cols + c)};
            float x;
            do
                x = static_cast<float>(mean + std * draw());
            while (!(a <= x && x <= b && std::isfinite(x)));
            table(r, c) = x;
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::uint64_t V = table.rows;
    const std::uint64_t at = static_cast<std::uint64_t>(padding_idx);
    const std::uint64_t r = padding_idx < 0 ? at + V : at; // wraps around to a large number if too negative
    if (padding_idx < 0 ? 0 - at > V : at >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    for (std::size_t c = table.cols; c-- > 0;)
        table(r, c) = 0;
    return {};
}

} // namespace exercise

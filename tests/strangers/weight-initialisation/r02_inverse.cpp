// right: inverse of the distribution function (Acklam, refined once with erfc), rows from the last to the first
#include "contract.h"

#include <cmath>

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

// Quantile of N(0, 1) for p in (0, 1/2], rational approximation by P. J. Acklam, then one step of Halley.
static double lower_quantile(double p) {
    static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
                               1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00};
    static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                               6.680131188771972e+01, -1.328068155288572e+01};
    static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                               -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00};
    static const double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                               3.754408661907416e+00};
    double x;
    if (p < 0.02425) {
        const double q = std::sqrt(-2.0 * std::log(p));
        x = (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
            ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1.0);
    } else {
        const double q = p - 0.5, r = q * q;
        x = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
            (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1.0);
    }
    const double error = 0.5 * std::erfc(-x / std::sqrt(2.0)) - p;
    const double step = error * std::sqrt(6.283185307179586) * std::exp(x * x / 2.0);
    return x - step / (1.0 + x * step / 2.0);
}

static double normal(std::uint64_t stream, std::uint64_t k) {
    const double u = uniform(stream, k);
    return u <= 0.5 ? lower_quantile(u) : -lower_quantile(1.0 - u); // 1 - u is exact
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for (std::size_t r = table.rows; r-- > 0;)
        for (std::size_t c = table.cols; c-- > 0;) {
            const std::uint64_t e = r * table.cols + c;
            table(r, c) = static_cast<float>(std * normal(random_bits(seed, e), 0));
        }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0.0F) || !(a < b))
        return Status{Code::invalid_argument};
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t stream = random_bits(seed, r * table.cols + c);
            for (std::uint64_t k = 0;; ++k) {
                const float x = static_cast<float>(mean + std * normal(stream, k));
                if (x < a || x > b) continue;
                table(r, c) = x;
                break;
            }
        }
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::int64_t V = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -V || padding_idx >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::int64_t r = padding_idx < 0 ? padding_idx + V : padding_idx;
    for (std::size_t c = 0; c < table.cols; ++c) table(static_cast<std::size_t>(r), c) = 0.0F;
    return Status{};
}

} // namespace exercise

// right: inverse of the distribution function (Wichura's AS 241) with one draw an element, mirrored for u > 1/2; truncated by drawing again, elements visited from the last to the first
#include "contract.h"

#include <cmath>
#include <cstring>

namespace exercise {

namespace {
constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;

std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

template <std::size_t n>
double horner(const double (&c)[n], double x) {
    double sum = 0;
    for (std::size_t i = n; i-- > 0;)
        sum = sum * x + c[i];
    return sum;
}

// z with P(Z <= z) = p
double quantile(double p) {
    static constexpr double a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                   1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                   3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static constexpr double b[] = {1.0,                      4.2313330701600911252e+1, 6.8718700749205790830e+2,
                                   5.3941960214247511077e+3, 2.1213794301586595867e+4, 3.9307895800092710610e+4,
                                   2.8729085735721942674e+4, 5.2264952788528545610e+3};
    static constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,  5.76949722146069140550e0,
                                   3.64784832476320460504e0,  1.27045825245236838258e0,  2.41780725177450611770e-1,
                                   2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static constexpr double d[] = {1.0,                       2.05319162663775882187e0,  1.67638483018380384940e0,
                                   6.89767334985100004550e-1, 1.48103976427480074590e-1, 1.51986665636164571966e-2,
                                   5.47593808499534494600e-4, 1.05075007164441684324e-9};
    static constexpr double f[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                   2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                   2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static constexpr double g[] = {1.0,                       5.99832206555887937690e-1, 1.36929880922735805310e-1,
                                   1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
                                   1.42151175831644588870e-7, 2.04426310338993978564e-15};
    const double q = p - 0.5;
    if (std::fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * horner(a, r) / horner(b, r);
    }
    const double tail = q < 0 ? p : 1 - p; // exact for p of `uniform`
    const double r = std::sqrt(-std::log(tail));
    const double z = r <= 5 ? horner(c, r - 1.6) / horner(d, r - 1.6) : horner(f, r - 5) / horner(g, r - 5);
    return q < 0 ? -z : z;
}
} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    return mix(seed + (index + 1) * step);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return std::ldexp(static_cast<double>(random_bits(seed, index) >> 12) + 0.5, -52);
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.cols == 0) return;
    for (std::size_t r = table.rows; r-- > 0;)
        for (std::size_t c = table.cols; c-- > 0;)
            table(r, c) = static_cast<float>(
                quantile(uniform(random_bits(seed, r * table.cols + c), 0)) * static_cast<double>(std));
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    const bool fine = std::isfinite(mean) && std::isfinite(std) && std > 0 && !std::isnan(a) &&
                      !std::isnan(b) && a < b;
    if (!fine) return Status{Code::invalid_argument};
    if (table.cols == 0) return {};
    const double centre = mean, spread = std, low = a, high = b;
    for (std::size_t r = table.rows; r-- > 0;)
        for (std::size_t c = table.cols; c-- > 0;) {
            const std::uint64_t stream = random_bits(seed, r * table.cols + c);
            std::uint64_t draw = 0;
            double x = 0;
            do {
                x = centre + spread * quantile(uniform(stream, draw++));
            } while (!(x >= low && x <= high));
            table(r, c) = static_cast<float>(x);
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    // V is at most 2^63 - 1, so neither sum can overflow
    const auto v = static_cast<std::int64_t>(table.rows);
    std::int64_t row = padding_idx;
    if (row < 0) row += v;
    if (row < 0 || row >= v) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols == 0) return {};
    std::memset(table.row(static_cast<std::size_t>(row)), 0, table.cols * sizeof(float));
    return {};
}

} // namespace exercise

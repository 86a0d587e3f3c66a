// right: inverse distribution function (Wichura's AS 241), and the truncated normal by drawing a uniform number between the two bounds' probabilities instead of rejecting
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    // 1.xxx with the 52 bits as its mantissa; minus 1 is exact, and so is adding half a step.
    const std::uint64_t pattern = (std::uint64_t{0x3FF} << 52) | (random_bits(seed, index) >> 12);
    double one_and;
    std::memcpy(&one_and, &pattern, sizeof one_and);
    return (one_and - 1.0) + 0x1p-53;
}

namespace {

double horner(const double (&k)[8], double x) {
    double y = k[7];
    for (int i = 6; i >= 0; --i)
        y = y * x + k[i];
    return y;
}

/// The z with P(Z < z) = p, for 0 < p < 1: AS 241, good to 16 digits.
double quantile(double p) {
    static constexpr double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                                    1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                    4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                    3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static constexpr double b[8] = {1.0,
                                    4.2313330701600911252e+1,
                                    6.8718700749205790830e+2,
                                    5.3941960214247511077e+3,
                                    2.1213794301586595867e+4,
                                    3.9307895800092710610e+4,
                                    2.8729085735721942674e+4,
                                    5.2264952788528545610e+3};
    static constexpr double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                    5.76949722146069140550e0,  3.64784832476320460504e0,
                                    1.27045825245236838258e0,  2.41780725177450611770e-1,
                                    2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static constexpr double d[8] = {1.0,
                                    2.05319162663775882187e0,
                                    1.67638483018380384940e0,
                                    6.89767334985100004550e-1,
                                    1.48103976427480074590e-1,
                                    1.51986665636164571966e-2,
                                    5.47593808499534494600e-4,
                                    1.05075007164441684324e-9};
    static constexpr double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                    1.78482653991729133580e0,  2.96560571828504891230e-1,
                                    2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                    2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static constexpr double f[8] = {1.0,
                                    5.99832206555887937690e-1,
                                    1.36929880922735805310e-1,
                                    1.48753612908506148525e-2,
                                    7.86869131145613259100e-4,
                                    1.84631831751005468180e-5,
                                    1.42151175831644588870e-7,
                                    2.04426310338993978564e-15};
    const double q = p - 0.5;
    if (std::fabs(q) <= 0.425) {
        const double s = 0.180625 - q * q;
        return q * horner(a, s) / horner(b, s);
    }
    double s = std::sqrt(-std::log(q < 0 ? p : 1.0 - p));
    double z;
    if (s <= 5.0) {
        s -= 1.6;
        z = horner(c, s) / horner(d, s);
    } else {
        s -= 5.0;
        z = horner(e, s) / horner(f, s);
    }
    return q < 0 ? -z : z;
}

double below(double z) {
    return 0.5 * std::erfc(-z * 0.70710678118654752440);
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.cols == 0) return;
    for (std::size_t r = 0; r < table.rows; ++r) {
        float* row = table.row(r);
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t e = static_cast<std::uint64_t>(r) * table.cols + c;
            row[c] = static_cast<float>(quantile(uniform(random_bits(seed, e), 0)) * static_cast<double>(std));
        }
    }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!(std::isfinite(mean) && std::isfinite(std) && std > 0.0f && a < b))
        return Status{Code::invalid_argument};
    if (table.cols == 0) return {};
    // Work on the side where the smaller tail is near 0, not near 1: there its probabilities are exact.
    double low = (static_cast<double>(a) - mean) / std;
    double high = (static_cast<double>(b) - mean) / std;
    const bool mirrored = low > 0;
    if (mirrored) {
        const double swap = low;
        low = -high;
        high = -swap;
    }
    const double first = below(low);
    const double width = below(high) - first;
    for (std::size_t r = 0; r < table.rows; ++r) {
        float* row = table.row(r);
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t stream =
                random_bits(seed, static_cast<std::uint64_t>(r) * table.cols + c);
            for (std::uint64_t k = 0;; ++k) {
                const double p = first + width * uniform(stream, k);
                if (!(p > 0x1p-60 && p < 1.0)) continue;
                const double z = mirrored ? -quantile(p) : quantile(p);
                const double x = static_cast<double>(mean) + static_cast<double>(std) * z;
                if (x >= static_cast<double>(a) && x <= static_cast<double>(b)) { // rounding may step out
                    row[c] = static_cast<float>(x);
                    break;
                }
            }
        }
    }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    std::uint64_t r = static_cast<std::uint64_t>(padding_idx);
    if (padding_idx < 0) r += table.rows; // wraps into [0, V) exactly where the index is one
    const bool wrapped = padding_idx >= 0 || r < static_cast<std::uint64_t>(table.rows);
    if (!wrapped || r >= table.rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(static_cast<std::size_t>(r), c) = 0.0f;
    return {};
}

} // namespace exercise

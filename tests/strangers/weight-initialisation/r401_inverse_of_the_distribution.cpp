// right: one uniform number through the inverse of the normal distribution function (AS 241) in the place of Box and Muller, elements from the last to the first, rows shared out to threads that are joined; a stream of its own for each element.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <thread>
#include <vector>

namespace exercise {

namespace {

/// Calls `element(to, e)` for every element, rows shared out to threads where there are many.
template <class Element>
void for_each_element(const Matrix<float>& table, Element element) {
    if (table.cols == 0) return;
    const auto rows = [&](std::size_t first, std::size_t last) {
        for (std::size_t r = last; r-- > first;) {
            float* row = table.row(r);
            for (std::size_t c = table.cols; c-- > 0;)
                element(row[c], r * table.cols + c);
        }
    };
    constexpr std::size_t workers = 4;
    if (table.rows < workers || table.rows * table.cols < 50'000) return rows(0, table.rows);
    std::vector<std::jthread> threads;
    for (std::size_t w = 1; w < workers; ++w)
        threads.emplace_back(rows, table.rows * w / workers, table.rows * (w + 1) / workers);
    rows(0, table.rows / workers);
}

/// Coefficients from that of the highest power to the constant.
template <std::size_t N>
double polynomial(const double (&coefficients)[N], double x) {
    double value = 0;
    for (const double coefficient : coefficients)
        value = value * x + coefficient;
    return value;
}

/// The inverse of the normal distribution function: Wichura's PPND16, Applied Statistics 37 (1988), AS 241.
double quantile(double p) {
    static constexpr double a[] = {2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4,
                                   4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3,
                                   1.3314166789178437745e2, 3.3871328727963666080};
    static constexpr double b[] = {5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4,
                                   2.1213794301586595867e4, 5.3941960214247511077e3, 6.8718700749205790830e2,
                                   4.2313330701600911252e1, 1.0};
    static constexpr double c[] = {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
                                   1.27045825245236838258,    3.64784832476320460504,    5.76949722146069140550,
                                   4.63033784615654529590,    1.42343711074968357734};
    static constexpr double d[] = {1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
                                   1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940,
                                   2.05319162663775882187,    1.0};
    static constexpr double e[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
                                   2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580,
                                   5.46378491116411436990,    6.65790464350110377720};
    static constexpr double f[] = {2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
                                   7.86869131145613259100e-4,  1.48753612908506148525e-2, 1.36929880922735805310e-1,
                                   5.99832206555887937690e-1,  1.0};
    const double q = p - 0.5;
    if (std::fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(a, r) / polynomial(b, r);
    }
    const double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
    const double z = r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6) : polynomial(e, r - 5) / polynomial(f, r - 5);
    return q < 0 ? -z : z;
}

/// Number `k` of a stream of N(0, 1), from one uniform number.
double normal(std::uint64_t stream, std::uint64_t k) {
    return quantile(uniform(stream, k));
}

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for_each_element(table, [=](float& to, std::uint64_t e) {
        to = static_cast<float>(std * normal(random_bits(seed, e), 0));
    });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0 || std::isnan(a) || std::isnan(b) || a >= b)
        return {Code::invalid_argument};
    for_each_element(table, [=](float& to, std::uint64_t e) {
        const std::uint64_t stream = random_bits(seed, e);
        for (std::uint64_t k = 0;; ++k) {
            const double x = mean + std * normal(stream, k);
            if (x < a || x > b) continue;
            to = static_cast<float>(x);
            return;
        }
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -rows || padding_idx >= rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::int64_t row = padding_idx < 0 ? padding_idx + rows : padding_idx;
    std::fill_n(table.row(static_cast<std::size_t>(row)), table.cols, 0.0F);
    return {};
}

} // namespace exercise

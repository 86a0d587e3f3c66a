// right: one uniform number makes one value, through the inverse of the normal distribution function (Wichura's AS 241); rows are divided among up to four threads, and a truncated value is drawn again in the same way.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <thread>
#include <vector>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    const auto mix = [](std::uint64_t z, int shift, std::uint64_t factor) { return (z ^ (z >> shift)) * factor; };
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15U;
    z = mix(z, 30, 0xBF58476D1CE4E5B9U);
    z = mix(z, 27, 0x94D049BB133111EBU);
    return mix(z, 31, 1);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    const std::uint64_t step = random_bits(seed, index) >> 12;
    return static_cast<double>(2 * step + 1) * 0x1p-53; // the middle of a step: an odd number below 2^53
}

namespace {

/// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t N>
constexpr double polynomial(const double (&c)[N], double x) {
    double value = c[N - 1];
    for (std::size_t i = N - 1; i-- > 0;)
        value = value * x + c[i];
    return value;
}

// M. J. Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", 1988, PPND16.
constexpr double centre_over[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                  1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                  3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr double centre_under[] = {1.0,
                                   4.2313330701600911252e1,
                                   6.8718700749205790830e2,
                                   5.3941960214247511077e3,
                                   2.1213794301586595867e4,
                                   3.9307895800092710610e4,
                                   2.8729085735721942674e4,
                                   5.2264952788528545610e3};
constexpr double middle_over[] = {1.42343711074968357734e0,  4.63033784615654529590e0,  5.76949722146069140550e0,
                                  3.64784832476320460504e0,  1.27045825245236838258e0,  2.41780725177450611770e-1,
                                  2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double middle_under[] = {1.0,
                                   2.05319162663775882187e0,
                                   1.67638483018380384940e0,
                                   6.89767334985100004550e-1,
                                   1.48103976427480074590e-1,
                                   1.51986665636164571966e-2,
                                   5.47593808499534494600e-4,
                                   1.05075007164441684324e-9};
constexpr double tail_over[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double tail_under[] = {1.0,
                                 5.99832206555887937690e-1,
                                 1.36929880922735805310e-1,
                                 1.48753612908506148525e-2,
                                 7.86869131145613259100e-4,
                                 1.84631831751005468180e-5,
                                 1.42151175831644588870e-7,
                                 2.04426310338993978564e-15};

/// The value below which N(0, 1) lies with probability p, 0 < p < 1.
double normal_quantile(double p) {
    const double q = p - 0.5;
    if (std::fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(centre_over, r) / polynomial(centre_under, r);
    }
    const double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
    const double z = r <= 5 ? polynomial(middle_over, r - 1.6) / polynomial(middle_under, r - 1.6)
                            : polynomial(tail_over, r - 5) / polynomial(tail_under, r - 5);
    return std::copysign(z, q);
}

/// table(r, c) = value(r * C + c), with several threads where that pays.
template <class Value>
void fill(Matrix<float> table, const Value& value) {
    if (table.rows == 0 || table.cols == 0) return;
    const auto fill_rows = [&](std::size_t from, std::size_t to) {
        for (std::size_t r = from; r < to; ++r)
            for (std::size_t c = 0; c < table.cols; ++c)
                table(r, c) = value(r * table.cols + c);
    };
    const std::size_t threads =
        table.rows * table.cols < 65536 ? 1 : std::min<std::size_t>(table.rows, 4);
    const auto bound = [&](std::size_t k) {
        return table.rows / threads * k + std::min(k, table.rows % threads);
    };
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < threads; ++k)
        others.emplace_back(fill_rows, bound(k), bound(k + 1));
    fill_rows(0, bound(1));
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    fill(table, [=, spread = static_cast<double>(std)](std::uint64_t e) {
        return static_cast<float>(spread * normal_quantile(uniform(random_bits(seed, e), 0)));
    });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b, std::uint64_t seed) {
    for (const float each : {mean, std})
        if (!std::isfinite(each)) return Status{Code::invalid_argument};
    if (std <= 0 || !(a < b)) return Status{Code::invalid_argument};
    const double centre = mean, spread = std, low = a, high = b;
    fill(table, [=](std::uint64_t e) {
        const std::uint64_t stream = random_bits(seed, e);
        for (std::uint64_t draw = 0;; ++draw) {
            const double x = centre + spread * normal_quantile(uniform(stream, draw));
            if (low <= x && x <= high) return static_cast<float>(x);
        }
    });
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    // The distance from the end, which no negative number of 64 bits overflows.
    const bool from_end = padding_idx < 0;
    const std::uint64_t distance = from_end ? ~static_cast<std::uint64_t>(padding_idx)
                                            : static_cast<std::uint64_t>(padding_idx);
    if (distance >= table.rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::size_t r = from_end ? table.rows - 1 - distance : distance;
    for (std::size_t c = 0; c < table.cols; ++c)
        table(r, c) = 0.0F;
    return Status{};
}

} // namespace exercise

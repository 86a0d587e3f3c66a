// wrong: the polar method's second value waits in a static variable, so after a table with an odd number of elements the next call begins with a value left over and equal calls differ; a right one keeps nothing from one call to the next.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
    std::uint64_t z = seed + (index + 1) * golden;
    z ^= z >> 30;
    z *= 0xBF58476D1CE4E5B9;
    z ^= z >> 27;
    z *= 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    const auto bits = static_cast<double>(random_bits(seed, index) >> 12);
    return std::ldexp(bits + 0.5, -52);
}

namespace {

struct Two {
    double first;
    double second;
};

/// Marsaglia's polar method, with the draws of a stream from number k on.
Two polar(std::uint64_t stream, std::uint64_t& k) {
    for (;;) {
        const double x = 2 * uniform(stream, k) - 1;
        const double y = 2 * uniform(stream, k + 1) - 1;
        k += 2;
        const double s = x * x + y * y;
        if (s >= 1 || s == 0) continue;
        const double factor = std::sqrt(-2 * std::log(s) / s);
        return {x * factor, y * factor};
    }
}

/// A value of N(0, 1) for element e. Each turn makes two, of which the second serves the next element.
double normal(std::uint64_t seed, std::uint64_t e) {
    static std::optional<double> spare;
    if (spare) {
        const double value = *spare;
        spare.reset();
        return value;
    }
    std::uint64_t k = 0;
    const Two both = polar(random_bits(seed, e), k);
    spare = both.second;
    return both.first;
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows && table.cols > 0; ++r)
        for (std::size_t c = 0; c < table.cols; ++c)
            table(r, c) = static_cast<float>(static_cast<double>(std) * normal(seed, e++));
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b, std::uint64_t seed) {
    const bool finite = std::isfinite(mean) && std::isfinite(std);
    if (!finite || std <= 0 || std::isnan(a) || std::isnan(b) || a >= b) return Status{Code::invalid_argument};
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows && table.cols > 0; ++r)
        for (std::size_t c = 0; c < table.cols; ++c, ++e) {
            const std::uint64_t stream = random_bits(seed, e);
            std::uint64_t k = 0;
            for (;;) {
                const double x = static_cast<double>(mean) + static_cast<double>(std) * polar(stream, k).first;
                if (x < a || x > b) continue;
                table(r, c) = static_cast<float>(x);
                break;
            }
        }
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -rows || padding_idx >= rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols == 0) return Status{};
    const std::int64_t row = padding_idx + (padding_idx < 0 ? rows : 0);
    std::fill_n(table.row(static_cast<std::size_t>(row)), table.cols, 0.0F);
    return Status{};
}

} // namespace exercise

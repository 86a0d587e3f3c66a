// wrong: init_truncated_normal gives up after 1,000 draws and takes the nearer bound, so with [a, b] holding about 1 percent of the distribution roughly 4 of 100,000 values equal a or b exactly
#include "contract.h"

#include <cmath>
#include <algorithm>

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

static double normal(std::uint64_t stream, std::uint64_t k) {
    const double u1 = uniform(stream, 2 * k), u2 = uniform(stream, 2 * k + 1);
    return std::sqrt(-2.0 * std::log(u1)) * std::cos(6.283185307179586 * u2);
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c)
            table(r, c) = static_cast<float>(static_cast<double>(std) * normal(random_bits(seed, r * table.cols + c), 0));
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    const bool fine = std::isfinite(mean) && std::isfinite(std) && std > 0 && a < b;
    if (!fine) return Status{Code::invalid_argument};
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows; ++r) {
        for (std::size_t c = 0; c < table.cols; ++c, ++e) {
            const std::uint64_t stream = random_bits(seed, e);
            double x = 0;
            bool inside = false;
            for (int tries = 0; tries < 1000 && !inside; ++tries) {
                x = mean + static_cast<double>(std) * normal(stream, static_cast<std::uint64_t>(tries));
                inside = x >= a && x <= b;
            }
            if (!inside) x = std::clamp(x, static_cast<double>(a), static_cast<double>(b)); // never happens
            table(r, c) = static_cast<float>(x);
        }
    }
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::int64_t V = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -V || padding_idx >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::size_t r = static_cast<std::size_t>(padding_idx < 0 ? padding_idx + V : padding_idx);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(r, c) = 0.0F;
    return Status{};
}

} // namespace exercise

// right: the tables come from Philox4x32-10 (counter = element and draw, key = seed) and the ratio of uniforms (Kinderman and Monahan) instead of SplitMix64 and Box-Muller; random_bits and uniform are as given
#include "contract.h"

#include <array>
#include <cmath>
#include <limits>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed - ~index * 0x9E3779B97F4A7C15u; // -~i is i + 1
    for (const auto& [shift, factor] : {std::pair{30, 0xBF58476D1CE4E5B9u}, std::pair{27, 0x94D049BB133111EBu}})
        z = (z ^ (z >> shift)) * factor;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    // the odd number 2 k + 1 < 2^53, times 2^-53
    return static_cast<double>((random_bits(seed, index) >> 12 << 1) | 1) * 0x1p-53;
}

namespace {

std::array<double, 2> two_uniforms(std::uint64_t key, std::uint64_t element, std::uint64_t draw) {
    std::uint32_t x0 = static_cast<std::uint32_t>(element), x1 = static_cast<std::uint32_t>(element >> 32);
    std::uint32_t x2 = static_cast<std::uint32_t>(draw), x3 = static_cast<std::uint32_t>(draw >> 32);
    std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53} * x0, p1 = std::uint64_t{0xCD9E8D57} * x2;
        const std::uint32_t y0 = static_cast<std::uint32_t>(p1 >> 32) ^ x1 ^ k0;
        const std::uint32_t y2 = static_cast<std::uint32_t>(p0 >> 32) ^ x3 ^ k1;
        x1 = static_cast<std::uint32_t>(p1), x3 = static_cast<std::uint32_t>(p0);
        x0 = y0, x2 = y2;
        k0 += 0x9E3779B9, k1 += 0xBB67AE85;
    }
    const std::uint64_t first = std::uint64_t{x0} << 32 | x1, second = std::uint64_t{x2} << 32 | x3;
    return {(static_cast<double>(first >> 12) + 0.5) * 0x1p-52, (static_cast<double>(second >> 12) + 0.5) * 0x1p-52};
}

// Fills the table with mean + std * z, the first that is in [a, b] and finite.
void fill(Matrix<float> table, double mean, double std, double a, double b, std::uint64_t seed) {
    if (table.cols == 0) return;
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c)
            for (std::uint64_t draw = 0;; ++draw) {
                const auto [u, w] = two_uniforms(seed, r * table.cols + c, draw);
                const double v = (2 * w - 1) * 0.85776388496070679648; // sqrt(2 / e)
                const double z = v / u;
                if (z * z > -4 * std::log(u)) continue;
                const double x = mean + std * z;
                if (!(x >= a && x <= b) || !std::isfinite(static_cast<float>(x))) continue;
                table(r, c) = static_cast<float>(x);
                break;
            }
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    constexpr double none = std::numeric_limits<double>::infinity();
    fill(table, 0, static_cast<double>(std), -none, none, seed);
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    const bool numbers = std::isfinite(mean) && std::isfinite(std) && !std::isnan(a) && !std::isnan(b);
    if (!numbers || std <= 0 || a >= b) return Status{Code::invalid_argument};
    fill(table, static_cast<double>(mean), static_cast<double>(std), static_cast<double>(a),
         static_cast<double>(b), seed);
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const __int128 v = static_cast<__int128>(table.rows);
    const __int128 row = padding_idx < 0 ? v + padding_idx : static_cast<__int128>(padding_idx);
    if (row < 0 || row >= v) return Status::id_out_of_range(0, padding_idx, table.rows);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(static_cast<std::size_t>(row), c) = +0.0F;
    return {};
}

} // namespace exercise

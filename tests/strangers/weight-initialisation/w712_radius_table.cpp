// wrong: the radius of Box and Muller comes from a table of 4,096 entries (12 random bits), so no value lies beyond 4.25 std; shows in the tails of tables of a million elements and in how few radii there are; a right one has 52 random bits a uniform number and tails as those of N(0, 1)
#include "contract.h"

#include <array>
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

namespace {

// Logarithms are slow: sqrt(-2 ln u) for the middles of 4,096 steps.
const std::array<double, 4096>& radii() {
    static const std::array<double, 4096> table = [] {
        std::array<double, 4096> r{};
        for (std::size_t i = 0; i < r.size(); ++i)
            r[i] = std::sqrt(-2 * std::log((static_cast<double>(i) + 0.5) / 4096));
        return r;
    }();
    return table;
}

double normal(std::uint64_t stream, std::uint64_t k) {
    const std::uint64_t bits = random_bits(stream, k); // 12 bits for the radius, 52 for the angle
    const double turn = (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
    return radii()[bits & 4095] * std::cos(6.283185307179586 * turn);
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.cols == 0) return;
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c)
            table(r, c) = static_cast<float>(static_cast<double>(std) *
                                             normal(random_bits(seed, r * table.cols + c), 0));
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0 || !(a < b))
        return Status{Code::invalid_argument};
    if (table.cols == 0) return {};
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t stream = random_bits(seed, r * table.cols + c);
            for (std::uint64_t k = 0;; ++k) {
                const double x = static_cast<double>(mean) + static_cast<double>(std) * normal(stream, k);
                if (x < static_cast<double>(a) || x > static_cast<double>(b)) continue;
                table(r, c) = static_cast<float>(x);
                break;
            }
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto v = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -v || padding_idx >= v) return Status::id_out_of_range(0, padding_idx, table.rows);
    const auto row = static_cast<std::size_t>(padding_idx < 0 ? padding_idx + v : padding_idx);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0;
    return {};
}

} // namespace exercise

// Fault: The radius has 16 random bits, so no value is further than 4.86 std from the mean.
// Origin: round 6
// Depth: thorough
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

static double normal(std::uint64_t stream, std::uint64_t k) {
    const std::uint64_t bits = random_bits(stream, k); // enough for two numbers
    const double u1 = (static_cast<double>(bits >> 48) + 0.5) * 0x1p-16;
    const double u2 = (static_cast<double>(bits & 0xFFFFFFFFFFFFu) + 0.5) * 0x1p-48;
    return std::sqrt(-2.0 * std::log(u1)) * std::cos(6.283185307179586 * u2);
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c)
            table(r, c) = static_cast<float>(static_cast<double>(std) * normal(random_bits(seed, r * table.cols + c), 0));
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b)) return Status{Code::invalid_argument};
    for (std::size_t r = 0; r < table.rows; ++r) {
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t stream = random_bits(seed, r * table.cols + c);
            float x;
            std::uint64_t k = 0;
            do
                x = static_cast<float>(mean + static_cast<double>(std) * normal(stream, k++));
            while (!(x >= a && x <= b));
            table(r, c) = x;
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

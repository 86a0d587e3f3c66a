// Fault: zero_padding_row keeps the row in 32 bits.
// Origin: round 14
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>

namespace exercise {

namespace {

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;

std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// Draw number k of a stream, in (0, 1).
double draw(std::uint64_t stream, std::uint64_t k) {
    return (static_cast<double>(mix(stream + (k + 1) * golden) >> 12) + 0.5) * 0x1p-52;
}

/// Draws k and k + 1 of a stream made a value of N(0, 1).
double normal(std::uint64_t stream, std::uint64_t k) {
    return std::sqrt(-2.0 * std::log(draw(stream, k))) * std::cos(2.0 * std::numbers::pi * draw(stream, k + 1));
}

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) { return mix(seed + (index + 1) * golden); }

double uniform(std::uint64_t seed, std::uint64_t index) { return draw(seed, index); }

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t e = r * table.cols + c;
            const std::uint64_t stream = mix(seed + (e + 1) * golden); // random_bits(seed, e)
            table(r, c) = static_cast<float>(std * normal(stream, 0));
        }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0.0F) return Status{Code::invalid_argument};
    if (std::isnan(a) || std::isnan(b) || a >= b) return Status{Code::invalid_argument};
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t e = r * table.cols + c;
            const std::uint64_t stream = mix(seed + (e + 1) * golden); // random_bits(seed, e)
            std::uint64_t k = 0;
            float value;
            do {
                value = static_cast<float>(mean + std * normal(stream, k));
                k += 2;
            } while (value < a || value > b);
            table(r, c) = value;
        }
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto V = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -V || padding_idx >= V) return Status::id_out_of_range(0, padding_idx, table.rows);

    const auto row = static_cast<std::uint32_t>(padding_idx < 0 ? padding_idx + V : padding_idx);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0.0F;
    return Status{};
}

} // namespace exercise

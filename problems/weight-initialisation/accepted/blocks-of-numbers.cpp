// accepted: draws a block of uniform numbers, then transforms the block in loops a compiler can vectorise
#include "contract.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace exercise {
namespace {

constexpr std::size_t block = 128;

/// Standard normal values of elements first … first + count - 1, from draws 2 * attempt and 2 * attempt + 1
/// of each.
void fill_block(std::array<double, block>& out, std::uint64_t seed, std::size_t first, std::size_t count,
                std::uint64_t attempt) {
    std::array<double, block> radius, turn;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t stream = random_bits(seed, first + i);
        radius[i] = uniform(stream, 2 * attempt);
        turn[i] = uniform(stream, 2 * attempt + 1);
    }
    for (std::size_t i = 0; i < count; ++i)
        radius[i] = std::sqrt(-2.0 * std::log(radius[i]));
    for (std::size_t i = 0; i < count; ++i)
        out[i] = radius[i] * std::sin(2.0 * std::numbers::pi * turn[i]);
}

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) / 4503599627370496.0;
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    std::array<double, block> values;
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; c += block) {
            const std::size_t count = std::min(block, table.cols - c);
            fill_block(values, seed, r * table.cols + c, count, 0);
            for (std::size_t i = 0; i < count; ++i)
                table(r, c + i) = static_cast<float>(std * values[i]);
        }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0.0f) || !(a < b))
        return {Code::invalid_argument};
    std::array<double, block> values;
    std::array<double, block> again;
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; c += block) {
            const std::size_t count = std::min(block, table.cols - c), first = r * table.cols + c;
            fill_block(values, seed, first, count, 0);
            for (std::size_t i = 0; i < count; ++i) {
                double x = mean + std * values[i];
                for (std::uint64_t attempt = 1; x < a || x > b; ++attempt) {
                    fill_block(again, seed, first + i, 1, attempt);
                    x = mean + std * again[0];
                }
                table(r, c + i) = static_cast<float>(x);
            }
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -rows || padding_idx > rows - 1)
        return Status::id_out_of_range(0, padding_idx, table.rows);
    std::fill_n(table.row(static_cast<std::size_t>((padding_idx + rows) % rows)), table.cols, 0.0f);
    return {};
}

} // namespace exercise

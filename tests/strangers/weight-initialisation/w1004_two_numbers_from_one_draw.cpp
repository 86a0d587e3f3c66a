// wrong: init_normal makes both uniform numbers from the halves of one draw, so they have 32 random bits instead of 52 and no value is beyond 6.77 std
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace exercise {

namespace {

/// Two independent values of N(0, 1).
struct Pair {
    double first, second;
};

Pair normal_pair(std::uint64_t stream, std::uint64_t number) {
    const double u1 = uniform(stream, 2 * number);
    const double u2 = uniform(stream, 2 * number + 1);
    const double radius = std::sqrt(-2.0 * std::log(u1));
    const double angle = 2.0 * std::numbers::pi * u2;
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// Needs one draw instead of two.
double quick_normal(std::uint64_t bits) {
    const double u1 = (static_cast<double>(bits >> 32) + 0.5) * 0x1p-32;
    const double u2 = (static_cast<double>(bits & 0xFFFFFFFFu) + 0.5) * 0x1p-32;
    return std::sqrt(-2.0 * std::log(u1)) * std::cos(2.0 * std::numbers::pi * u2);
}

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.cols == 0) return;
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t e = r * table.cols + c;
            table(r, c) = static_cast<float>(std * quick_normal(random_bits(random_bits(seed, 0), e)));
        }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0 || std::isnan(a) || std::isnan(b) || a >= b) {
        Status status;
        status.code = Code::invalid_argument;
        return status;
    }
    if (table.cols == 0) return {};
    const auto value = [&](std::uint64_t e) {
        const std::uint64_t stream = random_bits(seed, e);
        for (std::uint64_t k = 0;; ++k) {
            const auto [first, second] = normal_pair(stream, k);
            for (const double z : {first, second}) {
                const float x = static_cast<float>(mean + std * z);
                if (a <= x && x <= b) return x;
            }
        }
    };
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) table(r, c) = value(r * table.cols + c);
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::int64_t V = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -V || padding_idx >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols == 0) return {};
    float* row = table.row(static_cast<std::size_t>(padding_idx < 0 ? padding_idx + V : padding_idx));
    std::fill_n(row, table.cols, 0.0f);
    return {};
}

} // namespace exercise

// wrong: the radius comes from uniform(seed, .) and the angle from uniform(seed + 1, .) with the same index, so the table of seed + 1 gets its radii from the numbers that gave this table its angles: where |value| of one is near 0 or large, that of the other is predictable (the squares correlate by about 0.06); each table by itself is right, shows only in two tables of neighbouring seeds; a right one has independent tables for different seeds
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

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

/// Normal number k of element e, from two streams.
double normal(std::uint64_t seed, std::uint64_t e, std::uint64_t k) {
    const double u1 = uniform(random_bits(seed, e), k);
    const double u2 = uniform(random_bits(seed + 1, e), k);
    return std::sqrt(-2 * std::log(u1)) * std::cos(2 * std::numbers::pi * u2);
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t e = r * table.cols + c;
            table(r, c) = static_cast<float>(double{std} * normal(seed, e, 0));
        }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b))
        return Status{Code::invalid_argument};
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t e = r * table.cols + c;
            double x = 0;
            std::uint64_t k = 0;
            do {
                x = double{mean} + double{std} * normal(seed, e, k++);
            } while (x < a || x > b);
            table(r, c) = static_cast<float>(x);
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    std::uint64_t row = static_cast<std::uint64_t>(padding_idx);
    if (padding_idx < 0) {
        const std::uint64_t back = 0 - row;
        if (back > table.rows) return Status::id_out_of_range(0, padding_idx, table.rows);
        row = table.rows - back;
    }
    if (row >= table.rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0.0f;
    return {};
}

} // namespace exercise

// wrong: random_bits keeps the index in a 32-bit counter, so that index 2^32 + i gives the number of index i; visible in random_bits and uniform for indices from 2^32 - 1 on (2^64 - 1 happens to be right); a right one computes modulo 2^64
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    const std::uint32_t counter = static_cast<std::uint32_t>(index) + 1;
    std::uint64_t z = seed + counter * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

namespace {

/// A normal number of the stream, from its draws 2 k and 2 k + 1.
double normal(std::uint64_t stream, std::uint64_t k) {
    const double u1 = uniform(stream, 2 * k);
    const double u2 = uniform(stream, 2 * k + 1);
    return std::sqrt(-2 * std::log(u1)) * std::cos(2 * std::numbers::pi * u2);
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t stream = random_bits(seed, r * table.cols + c);
            table(r, c) = static_cast<float>(double{std} * normal(stream, 0));
        }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b))
        return Status{Code::invalid_argument};
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t stream = random_bits(seed, r * table.cols + c);
            double x = 0;
            std::uint64_t k = 0;
            do {
                x = double{mean} + double{std} * normal(stream, k++);
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

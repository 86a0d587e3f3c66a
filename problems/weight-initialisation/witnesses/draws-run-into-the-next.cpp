// Fault: 256 draws are reserved for each element, and a longer rejection uses those of the next one.
// Origin: round 16
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

namespace exercise {
namespace {

// The generator without a state.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double between_0_and_1(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(mixed(seed, index) >> 12) + 0.5) * 0x1p-52;
}

// Every element has a sequence of its own.
std::uint64_t stream(std::uint64_t seed, std::uint64_t element) { return mixed(seed, element); }

// A value of N(0, 1) from draws k and k + 1 of a sequence, after Box and Muller.
double normal(std::uint64_t sequence, std::uint64_t k) {
    const double u1 = between_0_and_1(sequence, k);
    const double u2 = between_0_and_1(sequence, k + 1);
    return std::sqrt(-2 * std::log(u1)) * std::cos(2 * std::numbers::pi * u2);
}

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    return mixed(seed, index);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return between_0_and_1(seed, index);
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.rows == 0 || table.cols == 0)
        return;
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c, ++e)
            table(r, c) = static_cast<float>(std * normal(stream(seed, e), 0));
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0 || !(a < b))
        return {Code::invalid_argument};
    if (table.rows == 0 || table.cols == 0)
        return {};
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c, ++e) {
            float value = 0;
            std::uint64_t k = e * 256; // plenty for each element
            do {
                value = static_cast<float>(mean + std * normal(seed, k));
                k += 2;
            } while (value < a || value > b);
            table(r, c) = value;
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto V = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -V || padding_idx >= V)
        return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols == 0)
        return {};
    float* row = table.row(static_cast<std::size_t>(padding_idx < 0 ? padding_idx + V : padding_idx));
    std::fill(row, row + table.cols, 0.0f);
    return {};
}

} // namespace exercise

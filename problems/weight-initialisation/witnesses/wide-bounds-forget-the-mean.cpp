// Fault: Whether bounds truncate is measured from 0 instead of the mean.
// Origin: round 19
#include "contract.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

namespace {

// Try number `attempt` of element e: a number of N(0, 1).
double normal(std::uint64_t seed, std::uint64_t e, std::uint64_t attempt) {
    const std::uint64_t stream = random_bits(seed, e);
    const double u1 = uniform(stream, 2 * attempt);
    const double u2 = uniform(stream, 2 * attempt + 1);
    return std::sqrt(-2.0 * std::log(u1)) * std::cos(2.0 * std::numbers::pi * u2);
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.rows == 0 || table.cols == 0) return;
    for (std::size_t r = 0; r < table.rows; ++r) {
        float* row = table.row(r);
        for (std::size_t c = 0; c < table.cols; ++c)
            row[c] = static_cast<float>(static_cast<double>(std) * normal(seed, r * table.cols + c, 0));
    }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0.0F) || !(a < b))
        return Status{Code::invalid_argument};
    if (table.rows == 0 || table.cols == 0) return Status{};
    const bool wide = a <= -9.0 * std && b >= 9.0 * std; // no draw gets there: skip the comparison
    for (std::size_t r = 0; r < table.rows; ++r) {
        float* row = table.row(r);
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t e = r * table.cols + c;
            float x = 0.0F;
            std::uint64_t attempt = 0;
            do {
                x = static_cast<float>(mean + static_cast<double>(std) * normal(seed, e, attempt));
                ++attempt;
            } while (!wide && !(x >= a && x <= b));
            row[c] = x;
        }
    }
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx >= rows || padding_idx < -rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols == 0) return Status{};
    const std::int64_t row = padding_idx < 0 ? padding_idx + rows : padding_idx;
    float* first = table.row(static_cast<std::size_t>(row));
    std::fill(first, first + table.cols, 0.0F);
    return Status{};
}

} // namespace exercise

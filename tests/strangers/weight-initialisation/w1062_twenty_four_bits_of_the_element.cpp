// wrong: the counter of a draw has 24 bits for the element below the number of the attempt: init_truncated_normal of more than 2^24 elements gives an element that is drawn again the draws, and mostly the value, of element e + 2^24
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
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

constexpr int element_bits = 24;

/// Draw `attempt` of N(0, 1) for element e. All draws of a table are of one stream; their number has the
/// element in the lower bits, and the attempt above.
double normal(std::uint64_t stream, std::uint64_t e, std::uint64_t attempt) {
    const std::uint64_t draw = (attempt << element_bits) + e;
    const double radius = std::sqrt(-2 * std::log(uniform(stream, 2 * draw)));
    return radius * std::cos(2 * std::numbers::pi * uniform(stream, 2 * draw + 1));
}

/// Calls value(e) for each element in reading order.
template <class Value>
void fill(Matrix<float> table, Value value) {
    if (table.cols == 0) return;
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows; ++r) {
        float* row = table.row(r);
        for (std::size_t c = 0; c < table.cols; ++c) row[c] = value(e++);
    }
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    const std::uint64_t stream = random_bits(seed, 0);
    fill(table, [=](std::uint64_t e) { return static_cast<float>(std * normal(stream, e, 0)); });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b, std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b)) {
        return {Code::invalid_argument};
    }
    const std::uint64_t stream = random_bits(seed, 0);
    fill(table, [=](std::uint64_t e) {
        for (std::uint64_t attempt = 0;; ++attempt) {
            const double x = mean + std * normal(stream, e, attempt);
            if (x >= a && x <= b) return static_cast<float>(x);
        }
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx >= rows || padding_idx < -rows) {
        return Status::id_out_of_range(0, padding_idx, table.rows);
    }
    if (table.cols == 0) return {};
    float* row = table.row(static_cast<std::size_t>(padding_idx < 0 ? padding_idx + rows : padding_idx));
    std::fill(row, row + table.cols, 0.0f);
    return {};
}

} // namespace exercise

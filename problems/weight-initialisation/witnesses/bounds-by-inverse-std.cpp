// Fault: Whether bounds matter is decided with a float 1 / std, which is infinite for tiny std.
// Origin: round 24
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

/// Draw `attempt` of N(0, 1) for element e; every element has a stream of its own.
double normal(std::uint64_t seed, std::uint64_t e, std::uint64_t attempt) {
    const std::uint64_t stream = random_bits(seed, e);
    const double radius = std::sqrt(-2 * std::log(uniform(stream, 2 * attempt)));
    return radius * std::cos(2 * std::numbers::pi * uniform(stream, 2 * attempt + 1));
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
    fill(table, [=](std::uint64_t e) { return static_cast<float>(std * normal(seed, e, 0)); });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b, std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b)) {
        return {Code::invalid_argument};
    }
    // No draw is further out than 8.6 standard deviations: bounds beyond 9 need no test.
    const float scale = 1.0f / std;
    const bool unbounded = (static_cast<double>(a) - mean) * scale <= -9 && (static_cast<double>(b) - mean) * scale >= 9;
    fill(table, [=](std::uint64_t e) {
        if (unbounded) return static_cast<float>(mean + std * normal(seed, e, 0));
        for (std::uint64_t attempt = 0;; ++attempt) {
            const double x = mean + std * normal(seed, e, attempt);
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

// accepted: elements 2i and 2i + 1 share one Box-Muller pair, as its cosine and its sine; algorithms over
// numbered elements
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace exercise {
namespace {

double standard_normal(std::uint64_t seed, std::uint64_t element, std::uint64_t attempt) {
    const std::uint64_t pair = random_bits(random_bits(seed, attempt), element / 2);
    const double radius = std::sqrt(-2.0 * std::log(uniform(pair, 0)));
    const double angle = 2.0 * std::numbers::pi * uniform(pair, 1);
    return radius * (element % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

/// Writes value(e) to every element e of the table.
void generate(Matrix<float> table, auto value) {
    std::vector<std::size_t> elements(table.cols);
    for (std::size_t r = 0; r < table.rows; ++r) {
        std::iota(elements.begin(), elements.end(), r * table.cols);
        std::ranges::transform(elements, table.row(r), value);
    }
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
    generate(table, [=](std::size_t e) { return static_cast<float>(std * standard_normal(seed, e, 0)); });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    const bool sound = std::isfinite(mean) && std::isfinite(std) && 0.0f < std && a < b;
    if (!sound) return {Code::invalid_argument};
    generate(table, [=](std::size_t e) {
        for (std::uint64_t attempt = 0;; ++attempt) {
            const double x = mean + std * standard_normal(seed, e, attempt);
            if (x >= a && x <= b) return static_cast<float>(x);
        }
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::int64_t count = static_cast<std::int64_t>(table.rows);
    const std::int64_t row = padding_idx < 0 ? padding_idx + count : padding_idx;
    if (row < 0 || row >= count) return Status::id_out_of_range(0, padding_idx, table.rows);
    std::ranges::fill_n(table.row(static_cast<std::size_t>(row)), static_cast<std::ptrdiff_t>(table.cols),
                        0.0f);
    return {};
}

} // namespace exercise

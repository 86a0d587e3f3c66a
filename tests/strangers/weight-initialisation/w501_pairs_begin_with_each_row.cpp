// wrong: init_normal uses both numbers of Box and Muller for columns c and c + 1 and begins anew in each row, so where C is odd an element depends on its column and not on e alone (3 x 5 differs from 5 x 3 and 1 x 15); a right one pairs by e, or draws for each element.
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace exercise {
namespace {

/// Two independent values of N(0, 1) from draws k and k + 1 of a stream.
std::pair<double, double> box_muller(std::uint64_t stream, std::uint64_t k) {
    const double radius = std::sqrt(-2.0 * std::log(uniform(stream, k)));
    const double angle = 2.0 * std::numbers::pi * uniform(stream, k + 1);
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for (std::size_t r = 0; r < table.rows && table.cols > 0; ++r) {
        float* row = table.row(r);
        for (std::size_t c = 0; c < table.cols; c += 2) {
            const auto [first, second] = box_muller(random_bits(seed, r * table.cols + c), 0);
            row[c] = static_cast<float>(std * first);
            if (c + 1 < table.cols) row[c + 1] = static_cast<float>(std * second);
        }
    }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b, std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0 || !(a < b))
        return Status{Code::invalid_argument};
    for (std::size_t r = 0; r < table.rows && table.cols > 0; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t stream = random_bits(seed, r * table.cols + c);
            double x = 0;
            std::uint64_t k = 0;
            do {
                x = mean + std * box_muller(stream, k).first;
                k += 2;
            } while (x < a || x > b);
            table(r, c) = static_cast<float>(x);
        }
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx >= rows || padding_idx < -rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    const auto r = static_cast<std::size_t>(padding_idx < 0 ? padding_idx + rows : padding_idx);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(r, c) = 0.0F;
    return Status{};
}

} // namespace exercise

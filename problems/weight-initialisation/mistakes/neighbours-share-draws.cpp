// mistake: neighbours-share-draws
// says: Element e uses draws e and e + 1, so every draw is used twice: as the angle of one element and as
//   the radius of the next. The sizes of neighbours become dependent although their correlation is zero.
// hint: List the draws that elements 0, 1 and 2 use. Does any number occur twice?
// symptom: Large weights come with large neighbours more often than chance allows.
// fails: neighbours tell nothing about each other
#include "contract.h"

#include <cmath>
#include <numbers>

namespace exercise {
namespace {

double standard_normal(std::uint64_t seed, std::uint64_t first) {
    const double radius = std::sqrt(-2.0 * std::log(uniform(seed, first)));
    return radius * std::cos(2.0 * std::numbers::pi * uniform(seed, first + 1));
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
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c)
            table(r, c) = static_cast<float>(std * standard_normal(seed, r * table.cols + c));
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    const bool valid = std::isfinite(mean) && std::isfinite(std) && std > 0 && a < b;
    if (!valid) return {Code::invalid_argument};

    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t element = random_bits(seed, r * table.cols + c);
            std::uint64_t attempt = 0;
            double x = mean + std * standard_normal(element, 2 * attempt);
            while (x < a || x > b) {
                ++attempt;
                x = mean + std * standard_normal(element, 2 * attempt);
            }
            table(r, c) = static_cast<float>(x);
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -rows || padding_idx >= rows)
        return Status::id_out_of_range(0, padding_idx, table.rows);

    const auto row = static_cast<std::size_t>(padding_idx < 0 ? padding_idx + rows : padding_idx);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0.0f;
    return {};
}

} // namespace exercise

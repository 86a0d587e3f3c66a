// wrong: a negative padding_idx is turned into a row number before it is checked, and the refusal reports that number: -7 of six rows gives the value -1; a right one reports padding_idx as it came.
#include "contract.h"

#include <cmath>
#include <cstring>
#include <numbers>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) / 4503599627370496.0;
}

static double standard_normal(std::uint64_t stream, std::uint64_t turn) {
    const double r = std::sqrt(-2.0 * std::log(uniform(stream, 2 * turn)));
    return r * std::sin(2.0 * std::numbers::pi * uniform(stream, 2 * turn + 1));
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for (std::size_t r = 0; r < table.rows && table.cols > 0; ++r)
        for (std::size_t c = 0; c < table.cols; ++c)
            table(r, c) = static_cast<float>(std * standard_normal(random_bits(seed, r * table.cols + c), 0));
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b, std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b))
        return Status{Code::invalid_argument};
    for (std::size_t r = 0; r < table.rows && table.cols > 0; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t stream = random_bits(seed, r * table.cols + c);
            for (std::uint64_t turn = 0;; ++turn) {
                const double x = mean + std * standard_normal(stream, turn);
                if (x < a || x > b) continue;
                table(r, c) = static_cast<float>(x);
                break;
            }
        }
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::int64_t rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx < 0) padding_idx += rows;
    if (padding_idx < 0 || padding_idx >= rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols != 0)
        std::memset(table.row(static_cast<std::size_t>(padding_idx)), 0, table.cols * sizeof(float));
    return Status{};
}

} // namespace exercise

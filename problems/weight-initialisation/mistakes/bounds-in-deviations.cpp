// mistake: bounds-in-deviations
// says: You read a and b as multiples of std around the mean. They are absolute values here, as in
//   trunc_normal_: with mean 1, std 2, a = -1, b = 3 the values lie in [-1, 3], not in [-1, 7].
// hint: Print the smallest and the largest value of a table with mean 1, std 2, a = -1, b = 3.
// symptom: With std = 1 and mean = 0 all is well; with std = 0.02 and bounds +-0.04 hardly anything near
//   zero survives.
// fails: bounds are absolute values whatever the mean and the spread
#include "contract.h"

#include <cmath>
#include <numbers>

namespace exercise {
namespace {

double standard_normal(std::uint64_t stream) {
    const double radius = std::sqrt(-2.0 * std::log(uniform(stream, 0)));
    return radius * std::cos(2.0 * std::numbers::pi * uniform(stream, 1));
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
            table(r, c) = static_cast<float>(std * standard_normal(random_bits(seed, r * table.cols + c)));
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    const bool valid = std::isfinite(mean) && std::isfinite(std) && std > 0 && a < b;
    if (!valid) return {Code::invalid_argument};

    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t element = random_bits(seed, r * table.cols + c);
            std::uint64_t attempt = 0;
            const double low = mean + static_cast<double>(a) * std;
            const double high = mean + static_cast<double>(b) * std;
            double x = mean + std * standard_normal(random_bits(element, attempt));
            while (x < low || x > high)
                x = mean + std * standard_normal(random_bits(element, ++attempt));
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

// wrong: a normal number is the sum of twelve uniform ones minus 6, whose tails are too light (kurtosis 2.9 instead of 3, beyond 4 std about a quarter of the right share, beyond 6 std nothing); mean and std are right; shows in init_normal and in wide or one-sided truncation for some 100,000 values; a right one follows the normal distribution into its tails
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace exercise {

namespace {

struct Source {
    std::uint64_t seed;
    std::uint64_t used = 0;

    double gaussian() {
        double sum = -6.0;
        for (int i = 0; i < 12; ++i)
            sum += uniform(seed, used++);
        return sum;
    }
};

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
        for (std::size_t c = 0; c < table.cols; ++c) {
            Source source{random_bits(seed, r * table.cols + c)};
            table(r, c) = static_cast<float>(source.gaussian() * std);
        }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (std::isnan(a) || std::isnan(b) || a >= b || !std::isfinite(mean) || !std::isfinite(std) || std <= 0)
        return {Code::invalid_argument, 0, 0, 0};
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            Source source{random_bits(seed, r * table.cols + c)};
            double x = mean + source.gaussian() * std;
            while (x < a || x > b)
                x = mean + source.gaussian() * std;
            table(r, c) = static_cast<float>(x);
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::uint64_t given = static_cast<std::uint64_t>(padding_idx);
    if (padding_idx < 0 ? ~given >= table.rows : given >= table.rows)
        return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::size_t row = padding_idx < 0 ? table.rows + given : given;
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0.0f;
    return {};
}

} // namespace exercise

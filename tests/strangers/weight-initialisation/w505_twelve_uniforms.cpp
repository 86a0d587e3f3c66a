// wrong: a "normal" value is the sum of twelve uniform ones minus 6, whose kurtosis is 2.9 and which never leaves six standard deviations, so the tails are too light; a right one has the normal distribution with its tails.
#include "contract.h"

#include <algorithm>
#include <cmath>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

namespace {

/// By the central limit theorem: twelve uniform numbers have together mean 6 and variance 12 / 12 = 1.
double normal(std::uint64_t stream, std::uint64_t turn) {
    double sum = 0;
    for (std::uint64_t k = 0; k < 12; ++k)
        sum += uniform(stream, 12 * turn + k);
    return sum - 6;
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.cols == 0) return;
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows; ++r) {
        float* const row = table.row(r);
        std::generate(row, row + table.cols,
                      [&] { return static_cast<float>(std * normal(random_bits(seed, e++), 0)); });
    }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b, std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0) return Status{Code::invalid_argument};
    if (std::isnan(a) || std::isnan(b) || a >= b) return Status{Code::invalid_argument};
    if (table.cols == 0) return Status{};
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows; ++r) {
        float* const row = table.row(r);
        std::generate(row, row + table.cols, [&] {
            const std::uint64_t stream = random_bits(seed, e++);
            for (std::uint64_t turn = 0;; ++turn)
                if (const double x = mean + std * normal(stream, turn); x >= a && x <= b)
                    return static_cast<float>(x);
        });
    }
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    const bool inside = -rows <= padding_idx && padding_idx < rows;
    if (!inside) return Status::id_out_of_range(0, padding_idx, table.rows);
    const auto row = static_cast<std::size_t>((padding_idx + rows) % rows);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0;
    return Status{};
}

} // namespace exercise

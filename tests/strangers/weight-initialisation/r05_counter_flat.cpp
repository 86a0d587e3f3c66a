// right: one flat loop over e with a running row pointer, the generator written as a recursive mixing step and goto for drawing anew
#include "contract.h"

#include <cmath>

namespace exercise {

static std::uint64_t mix(std::uint64_t z, int step) {
    static const struct { int shift; std::uint64_t factor; } stage[] = {
        {30, 0xBF58476D1CE4E5B9u}, {27, 0x94D049BB133111EBu}, {31, 1u}};
    return step == 3 ? z : mix((z ^ (z >> stage[step].shift)) * stage[step].factor, step + 1);
}

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    return mix(seed + ++index * 0x9E3779B97F4A7C15u, 0);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

static double normal(std::uint64_t stream, std::uint64_t k) {
    const double u1 = uniform(stream, 2 * k), u2 = uniform(stream, 2 * k + 1);
    return std::sqrt(-2.0 * std::log(u1)) * std::cos(6.283185307179586 * u2);
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    const std::uint64_t n = table.rows * table.cols;
    float* row = table.data;
    std::size_t c = 0;
    for (std::uint64_t e = 0; e != n; ++e) {
        row[c] = static_cast<float>(std * normal(random_bits(seed, e), 7));
        if (++c == table.cols && e + 1 != n) row += table.stride, c = 0;
    }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (std::isnan(a) || std::isnan(b) || a >= b) return Status{Code::invalid_argument, 0, 0, 0};
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0) return Status{Code::invalid_argument, 0, 0, 0};
    const std::uint64_t n = table.rows * table.cols;
    for (std::uint64_t e = 0; e < n; ++e) {
        std::uint64_t k = 0;
    again:
        const double x = static_cast<double>(mean) + static_cast<double>(std) * normal(random_bits(seed, e), k++);
        if (x < a || x > b) goto again;
        table(e / table.cols, e % table.cols) = static_cast<float>(x);
    }
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::int64_t V = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -V || padding_idx >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::int64_t r = padding_idx < 0 ? padding_idx + V : padding_idx;
    for (std::size_t c = 0; c < table.cols; ++c) table(static_cast<std::size_t>(r), c) = 0.0F;
    return Status{};
}

} // namespace exercise

// right: one Box-Muller pair serves elements 2 j (cosine) and 2 j + 1 (sine) of init_normal, in long double; the truncated values are drawn by recursion, each try from a hash of its own
#include "contract.h"

#include <cmath>

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

struct Pair {
    long double cosine, sine;
};

Pair pair_of(std::uint64_t stream) {
    constexpr long double turn = 6.283185307179586476925286766559L;
    const long double radius = std::sqrt(-2 * std::log(static_cast<long double>(uniform(stream, 0))));
    const long double angle = turn * uniform(stream, 1);
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

float inside(long double mean, long double std, long double a, long double b, std::uint64_t stream) {
    const Pair pair = pair_of(stream);
    const long double x = mean + std * pair.cosine, y = mean + std * pair.sine;
    if (x >= a && x <= b) return static_cast<float>(x);
    if (y >= a && y <= b) return static_cast<float>(y);
    return inside(mean, std, a, b, random_bits(stream, 2)); // a tail call, and seldom deep
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    const std::uint64_t key = random_bits(seed, 0);
    const std::uint64_t count = table.rows * table.cols;
    for (std::uint64_t j = 0; 2 * j < count; ++j) {
        const Pair pair = pair_of(random_bits(key, j));
        table(2 * j / table.cols, 2 * j % table.cols) = static_cast<float>(std * pair.cosine);
        if (2 * j + 1 < count)
            table((2 * j + 1) / table.cols, (2 * j + 1) % table.cols) = static_cast<float>(std * pair.sine);
    }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (std::isfinite(mean) && std::isfinite(std) && 0 < std && a < b) {
        const std::uint64_t key = random_bits(seed, 0);
        for (std::uint64_t e = 0; e < table.rows * table.cols; ++e)
            table(e / table.cols, e % table.cols) = inside(mean, std, a, b, random_bits(key, e));
        return Status{};
    }
    return Status{Code::invalid_argument};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::int64_t V = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -V || padding_idx >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::size_t r = static_cast<std::size_t>(padding_idx < 0 ? padding_idx + V : padding_idx);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(r, c) = 0.0F;
    return Status{};
}

} // namespace exercise

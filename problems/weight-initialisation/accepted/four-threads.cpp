// accepted: four threads, each with every fourth row; the numbers belong to the elements, so nobody notices
#include "contract.h"

#include <cmath>
#include <numbers>
#include <thread>
#include <vector>

namespace exercise {
namespace {

double standard_normal(std::uint64_t stream, std::uint64_t attempt) {
    const double radius = std::sqrt(-2.0 * std::log1p(-uniform(stream, 2 * attempt + 1)));
    return radius * std::cos(2.0 * std::numbers::pi * uniform(stream, 2 * attempt));
}

template <class Value>
void fill(Matrix<float> table, Value value) {
    constexpr std::size_t workers = 4;
    std::vector<std::jthread> threads;
    for (std::size_t first = 0; first < workers; ++first)
        threads.emplace_back([=] {
            for (std::size_t r = first; r < table.rows; r += workers)
                for (std::size_t c = 0; c < table.cols; ++c)
                    table(r, c) = static_cast<float>(value(r * table.cols + c));
        });
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
    fill(table, [=](std::size_t e) { return std * standard_normal(random_bits(seed, e), 0); });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    const bool usable = std::isfinite(mean) && std::isfinite(std) && std > 0.0f && b > a;
    if (!usable) return {Code::invalid_argument};
    fill(table, [=](std::size_t e) {
        const std::uint64_t stream = random_bits(seed, e);
        for (std::uint64_t attempt = 0;; ++attempt) {
            const double x = mean + std * standard_normal(stream, attempt);
            if (x >= a && x <= b) return x;
        }
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -rows || padding_idx >= rows)
        return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::int64_t row = padding_idx >= 0 ? padding_idx : rows + padding_idx;
    for (float *x = table.row(static_cast<std::size_t>(row)), *end = x + table.cols; x != end; ++x)
        *x = 0.0f;
    return {};
}

} // namespace exercise

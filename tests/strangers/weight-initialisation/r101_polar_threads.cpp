// right: Marsaglia's polar method with a stream per element, filled by three threads from the last row to the first, each element through a functor
#include "contract.h"

#include <cmath>
#include <cstring>
#include <thread>

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

// Radii are limited to 8.9: the chance of more is 6e-18, and 9 * std is finite.
double polar(std::uint64_t stream, std::uint64_t& draw) {
    for (;;) {
        const double x = 2 * uniform(stream, draw) - 1, y = 2 * uniform(stream, draw + 1) - 1;
        draw += 2;
        const double s = x * x + y * y;
        if (s >= 1 || s < 0x1p-56) continue;
        return y * std::sqrt(-2 * std::log(s) / s);
    }
}

template <class F>
void by_three(Matrix<float> table, std::uint64_t seed, F draw_one) {
    const std::uint64_t key = random_bits(seed, 0); // no table is another one moved
    const auto work = [&](std::size_t worker) {
        for (std::size_t r = table.rows; r-- > 0;) {
            if (r % 3 != worker) continue;
            for (std::size_t c = table.cols; c-- > 0;)
                table(r, c) = draw_one(random_bits(key, r * table.cols + c));
        }
    };
    std::thread one(work, 1), two(work, 2);
    work(0);
    two.join();
    one.join();
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    by_three(table, seed, [=](std::uint64_t stream) {
        std::uint64_t draw = 0;
        return static_cast<float>(std * polar(stream, draw));
    });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    const bool good = std::isfinite(mean) && std::isfinite(std) && std > 0 && a < b; // false with any NaN
    if (!good) return {Code::invalid_argument};
    by_three(table, seed, [=](std::uint64_t stream) {
        std::uint64_t draw = 0;
        double x;
        while (x = mean + std * polar(stream, draw), x < a || x > b) {
        }
        return static_cast<float>(x);
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    // counted from the end without a sum that could overflow: -1 is ~0, -2 is ~1, ...
    const std::uint64_t distance = static_cast<std::uint64_t>(padding_idx < 0 ? ~padding_idx : padding_idx);
    if (distance >= table.rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols == 0) return {};
    const std::size_t r = padding_idx < 0 ? table.rows - 1 - distance : distance;
    std::memset(table.row(r), 0, table.cols * sizeof(float));
    return {};
}

} // namespace exercise

// right: elements 2m and 2m+1 share one Box-Muller pair (cos, sin) of stream m in init_normal, work is split over 4 threads by elements; truncated: own stream per element, both numbers of a pair are candidates
#include "contract.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <thread>
#include <vector>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + index * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u;
    z ^= z >> 30;
    z *= 0xBF58476D1CE4E5B9u;
    z ^= z >> 27;
    z *= 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    // 1.mantissa lies in [1, 2); taking 1 - 2^-53 away is exact
    return std::bit_cast<double>(0x3FF0000000000000u | (random_bits(seed, index) >> 12)) - (1.0 - 0x1p-53);
}

namespace {

struct Pair {
    double first, second;
};

Pair box_muller(std::uint64_t stream, std::uint64_t k) {
    const double radius = std::sqrt(-2 * std::log(uniform(stream, 2 * k)));
    const double angle = 2 * std::numbers::pi * uniform(stream, 2 * k + 1);
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

// calls work(e, element) for each element
template <class Work>
void each(Matrix<float> table, Work work) {
    if (table.rows == 0 || table.cols == 0) return;
    const std::size_t count = table.rows * table.cols;
    const auto part = [&](std::size_t from, std::size_t to) {
        std::size_t r = from / table.cols, c = from % table.cols;
        for (std::size_t e = from; e < to; ++e) {
            work(static_cast<std::uint64_t>(e), table(r, c));
            if (++c == table.cols) c = 0, ++r;
        }
    };
    if (count < 4096) return part(0, count);
    std::vector<std::jthread> threads;
    const std::size_t share = count / 4;
    for (std::size_t t = 0; t < 3; ++t)
        threads.emplace_back(part, t * share, (t + 1) * share);
    part(3 * share, count);
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    each(table, [=](std::uint64_t e, float& element) {
        const Pair pair = box_muller(random_bits(seed, e / 2), 0);
        element = static_cast<float>((e % 2 == 0 ? pair.first : pair.second) * static_cast<double>(std));
    });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b))
        return {Code::invalid_argument, 0, 0, 0};
    each(table, [=](std::uint64_t e, float& element) {
        const std::uint64_t stream = random_bits(seed, e);
        for (std::uint64_t k = 0;; ++k) {
            const Pair pair = box_muller(stream, k);
            for (const double z : {pair.first, pair.second}) {
                const double x = static_cast<double>(mean) + static_cast<double>(std) * z;
                if (x >= static_cast<double>(a) && x <= static_cast<double>(b)) {
                    element = static_cast<float>(x);
                    return;
                }
            }
        }
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -rows || padding_idx >= rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols != 0)
        std::fill_n(table.row(static_cast<std::size_t>(padding_idx < 0 ? padding_idx + rows : padding_idx)),
                    table.cols, 0.0F);
    return {};
}

} // namespace exercise

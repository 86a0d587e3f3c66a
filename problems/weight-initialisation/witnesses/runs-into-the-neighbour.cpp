// Fault: 1,024 draws are reserved for each element, and a longer rejection uses those of the next one.
// Origin: round 18
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <thread>
#include <vector>

namespace exercise {

namespace {

/// (0, 1) from the upper 52 bits.
double open_unit(std::uint64_t bits) {
    return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

/// Box and Muller's first value.
double normal_of(double u1, double u2) {
    return std::sqrt(-2.0 * std::log(u1)) * std::cos(2.0 * std::numbers::pi * u2);
}

/// table(r, c) = value(r * C + c), with threads where the table is large.
template <class Value>
void fill(Matrix<float> table, Value value) {
    if (table.rows == 0 || table.cols == 0) return;
    const std::size_t count = table.rows * table.cols;
    const auto part = [&](std::size_t begin, std::size_t end) {
        std::size_t r = begin / table.cols, c = begin % table.cols;
        for (std::size_t e = begin; e < end; ++e) {
            table(r, c) = value(static_cast<std::uint64_t>(e));
            if (++c == table.cols) c = 0, ++r;
        }
    };
    const std::size_t hands = std::min<std::size_t>(8, count / 20'000 + 1);
    if (hands == 1) return part(0, count);
    const std::size_t share = (count + hands - 1) / hands;
    std::vector<std::jthread> crew;
    for (std::size_t h = 0; h < hands; ++h)
        crew.emplace_back(part, std::min(count, h * share), std::min(count, (h + 1) * share));
}

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return open_unit(random_bits(seed, index));
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    fill(table, [=](std::uint64_t e) {
        const std::uint64_t own = random_bits(seed, e);
        const double z = normal_of(open_unit(random_bits(own, 0)), open_unit(random_bits(own, 1)));
        return static_cast<float>(static_cast<double>(std) * z);
    });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b))
        return {.code = Code::invalid_argument};
    fill(table, [=](std::uint64_t e) {
        for (std::uint64_t k = e * 1024;; k += 2) { // more than anyone needs
            const double z = normal_of(open_unit(random_bits(seed, k)), open_unit(random_bits(seed, k + 1)));
            const auto x = static_cast<float>(static_cast<double>(mean) + static_cast<double>(std) * z);
            if (x >= a && x <= b) return x;
        }
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto V = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -V || padding_idx >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols == 0) return {};
    float* row = table.row(static_cast<std::size_t>(padding_idx < 0 ? padding_idx + V : padding_idx));
    for (std::size_t c = 0; c < table.cols; ++c)
        row[c] = 0.0F;
    return {};
}

} // namespace exercise

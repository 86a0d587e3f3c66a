// wrong: init_normal makes and stores rows in blocks of four, and the last block of a row writes into its padding as far as the stride goes (never past the stride); shows with stride > C and C not a multiple of 4; a right one leaves padding as it was
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>

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

struct Block {
    float values[4];
};

float normal(double std, std::uint64_t stream) {
    const double radius = std::sqrt(-2 * std::log(uniform(stream, 0)));
    return static_cast<float>(std * radius * std::cos(6.283185307179586 * uniform(stream, 1)));
}

Block block(double std, std::uint64_t seed, std::uint64_t e) {
    Block b;
    for (std::uint64_t i = 0; i < 4; ++i)
        b.values[i] = normal(std, random_bits(seed, e + i));
    return b;
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.cols == 0) return;
    for (std::size_t r = 0; r < table.rows; ++r) {
        const std::size_t room = r + 1 < table.rows ? table.stride : table.cols; // nothing after the last row
        for (std::size_t c = 0; c < table.cols; c += 4) {
            const Block b = block(static_cast<double>(std), seed, r * table.cols + c);
            std::memcpy(table.row(r) + c, b.values, std::min<std::size_t>(4, room - c) * sizeof(float));
        }
    }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0 || !(a < b))
        return Status{Code::invalid_argument};
    if (table.cols == 0) return {};
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            const std::uint64_t stream = random_bits(seed, r * table.cols + c);
            for (std::uint64_t k = 0;; k += 2) {
                const double z = std::sqrt(-2 * std::log(uniform(stream, k))) *
                                 std::cos(6.283185307179586 * uniform(stream, k + 1));
                const double x = static_cast<double>(mean) + static_cast<double>(std) * z;
                if (x < static_cast<double>(a) || x > static_cast<double>(b)) continue;
                table(r, c) = static_cast<float>(x);
                break;
            }
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto v = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -v || padding_idx >= v) return Status::id_out_of_range(0, padding_idx, table.rows);
    const auto row = static_cast<std::size_t>(padding_idx < 0 ? padding_idx + v : padding_idx);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0;
    return {};
}

} // namespace exercise

// Fault: Uniform numbers have 16 bits, so no value is further than 4.86 std from the mean.
// Origin: round 13
// Depth: thorough
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
    z ^= z >> 30;
    z *= 0xBF58476D1CE4E5B9ull;
    z ^= z >> 27;
    z *= 0x94D049BB133111EBull;
    z ^= z >> 31;
    return z;
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    const std::uint64_t step = random_bits(seed, index) / 4096;
    return (static_cast<double>(step) + 0.5) / 4503599627370496.0;
}

namespace {

constexpr double two_pi = 6.283185307179586;

// The normal numbers of one element.
class Draws {
  public:
    Draws(std::uint64_t seed, std::uint64_t e) : own_(random_bits(seed, e)) {}
    double next() {
        if (k_ % 2 == 0) bits_ = random_bits(own_, k_ / 2);
        ++k_;
        const double u1 = part(), u2 = part();
        return std::sqrt(-2 * std::log(u1)) * std::cos(two_pi * u2);
    }

  private:
    // The next 16 of the bits, in the middle of their step.
    double part() {
        const auto step = static_cast<double>(bits_ & 0xFFFF);
        bits_ >>= 16;
        return (step + 0.5) / 65'536;
    }
    std::uint64_t own_, k_ = 0, bits_ = 0;
};

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.cols == 0) return;
    for (std::size_t r = 0; r < table.rows; ++r) {
        float* row = table.row(r);
        for (std::size_t c = 0; c < table.cols; ++c) {
            Draws draws(seed, r * table.cols + c);
            row[c] = static_cast<float>(static_cast<double>(std) * draws.next());
        }
    }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    Status refused;
    refused.code = Code::invalid_argument;
    if (std::isnan(a) || std::isnan(b) || a >= b) return refused;
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0) return refused;
    if (table.cols == 0) return {};
    for (std::size_t r = 0; r < table.rows; ++r) {
        float* row = table.row(r);
        for (std::size_t c = 0; c < table.cols; ++c) {
            Draws draws(seed, r * table.cols + c);
            double x = static_cast<double>(mean) + static_cast<double>(std) * draws.next();
            while (x < static_cast<double>(a) || x > static_cast<double>(b))
                x = static_cast<double>(mean) + static_cast<double>(std) * draws.next();
            row[c] = static_cast<float>(x);
        }
    }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto V = static_cast<std::int64_t>(table.rows);
    std::int64_t row = padding_idx;
    if (row < 0) row += V;
    if (row < 0 || row >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(static_cast<std::size_t>(row), c) = 0;
    return {};
}

} // namespace exercise

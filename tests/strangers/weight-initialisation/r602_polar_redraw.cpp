// right: Marsaglia's polar method in a little class that owns the element's stream; what lies beyond 9 standard deviations is drawn again so that nothing overflows
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace exercise {

namespace {

class Stream {
  public:
    explicit Stream(std::uint64_t key) : key_(key) {}

    /// Uniform in (-1, 1), never 0: an odd multiple of 2^-52.
    double signed_uniform() { return 2.0 * uniform(key_, next_++) - 1.0; }

    double normal() {
        for (;;) {
            const double x = signed_uniform();
            const double y = signed_uniform();
            const double s = x * x + y * y;
            if (!(s < 1.0)) continue;
            const double z = x * std::sqrt(-2.0 * std::log(s) / s);
            if (std::fabs(z) < 9.0) return z; // beyond: once in 10^19
        }
    }

  private:
    std::uint64_t key_;
    std::uint64_t next_ = 0;
};

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    const auto mix = [](std::uint64_t z, int shift, std::uint64_t factor) { return (z ^ (z >> shift)) * factor; };
    const std::uint64_t start = seed + index * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u;
    return mix(mix(mix(start, 30, 0xBF58476D1CE4E5B9u), 27, 0x94D049BB133111EBu), 31, 1);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) / 4503599627370496.0;
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    std::uint64_t e = 0;
    for (std::size_t r = 0; table.cols != 0 && r != table.rows; ++r)
        for (float *p = table.row(r), *end = p + table.cols; p != end; ++p)
            *p = static_cast<float>(static_cast<double>(std) * Stream(random_bits(seed, e++)).normal());
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (std::isnan(a) || std::isnan(b) || a >= b) return Status{Code::invalid_argument};
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0.0f) return Status{Code::invalid_argument};
    std::uint64_t e = 0;
    for (std::size_t r = 0; table.cols != 0 && r != table.rows; ++r)
        for (float *p = table.row(r), *end = p + table.cols; p != end; ++p) {
            Stream stream(random_bits(seed, e++));
            double x;
            do {
                x = static_cast<double>(mean) + static_cast<double>(std) * stream.normal();
            } while (x < static_cast<double>(a) || x > static_cast<double>(b));
            *p = static_cast<float>(x);
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    // -1 - i is the distance from the end, counted from 0, and never overflows.
    const bool from_end = padding_idx < 0;
    const std::size_t distance = static_cast<std::size_t>(from_end ? -1 - padding_idx : padding_idx);
    if (distance >= table.rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::size_t r = from_end ? table.rows - 1 - distance : distance;
    if (table.cols > 0) std::fill_n(table.row(r), table.cols, 0.0f);
    return {};
}

} // namespace exercise

// wrong: the stream of element e is chosen by seed ^ e, so the table of seed 1 is that of seed 0 with neighbours exchanged; in a right one the tables of seed and seed + 1 share no values, in the same place or another.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    auto z = seed + (index + 1) * std::uint64_t{0x9E3779B97F4A7C15};
    z = (z ^ (z >> 30)) * std::uint64_t{0xBF58476D1CE4E5B9};
    z = (z ^ (z >> 27)) * std::uint64_t{0x94D049BB133111EB};
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

namespace {

/// The draws of one element.
class Draws {
  public:
    Draws(std::uint64_t seed, std::uint64_t element) : stream_(random_bits(seed ^ element, 0)) {}

    double normal() {
        const double u = uniform(stream_, next_++);
        const double v = uniform(stream_, next_++);
        return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
    }

  private:
    std::uint64_t stream_;
    std::uint64_t next_ = 0;
};

template <class Value>
void fill(Matrix<float> table, std::uint64_t seed, Value value) {
    if (table.cols == 0) return;
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            Draws draws(seed, r * table.cols + c);
            table(r, c) = static_cast<float>(value(draws));
        }
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    fill(table, seed, [std](Draws& draws) { return std * draws.normal(); });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b, std::uint64_t seed) {
    const bool good = std::isfinite(mean) && std::isfinite(std) && std > 0 && a < b;
    if (!good) return {Code::invalid_argument};
    fill(table, seed, [=](Draws& draws) {
        double x = mean + std * draws.normal();
        while (!(x >= a && x <= b))
            x = mean + std * draws.normal();
        return x;
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto count = static_cast<std::int64_t>(table.rows);
    const std::int64_t from_front = padding_idx >= 0 ? padding_idx : padding_idx + count;
    if (from_front < 0 || from_front >= count) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols > 0) {
        float* row = table.row(static_cast<std::size_t>(from_front));
        std::fill(row, row + table.cols, 0.0F);
    }
    return {};
}

} // namespace exercise

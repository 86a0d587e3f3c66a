// right: Marsaglia polar method on a stream of its own for each element with a different derivation of the stream, columns in the outer loop, three threads over the columns
#include "contract.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    constexpr std::uint64_t factors[] = {0xBF58476D1CE4E5B9u, 0x94D049BB133111EBu, 1};
    constexpr int shifts[] = {30, 27, 31};
    std::uint64_t z = seed + 0x9E3779B97F4A7C15u + index * 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 3; ++i)
        z = (z ^ (z >> shifts[i])) * factors[i];
    return z;
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) / 0x1p52;
}

class Polar {
  public:
    Polar(std::uint64_t seed, std::uint64_t e) : stream_(random_bits(random_bits(~seed, 0x5EED), e)) {}
    double next() {
        for (;;) {
            const double x = 2 * uniform(stream_, k_) - 1, y = 2 * uniform(stream_, k_ + 1) - 1;
            k_ += 2;
            const double s = x * x + y * y;
            if (s < 1 && s > 0) return x * std::sqrt(-2 * std::log(s) / s);
        }
    }

  private:
    std::uint64_t stream_, k_ = 0;
};

template <class Value>
static void fill(Matrix<float> table, std::uint64_t seed, Value value) {
    auto columns = [=](std::size_t first, std::size_t last) {
        for (std::size_t c = first; c < last; ++c)
            for (std::size_t r = 0; r < table.rows; ++r)
                table(r, c) = value(Polar(seed, r * table.cols + c));
    };
    if (table.cols < 3 || table.rows == 0) {
        columns(0, table.cols);
        return;
    }
    const std::size_t third = table.cols / 3;
    std::thread one(columns, 0, third), two(columns, third, 2 * third);
    columns(2 * third, table.cols);
    one.join();
    two.join();
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    fill(table, seed, [std](Polar polar) {
        const float x = static_cast<float>(static_cast<double>(std) * polar.next());
        return std::isfinite(x) ? x : std::copysign(std::numeric_limits<float>::max(), x);
    });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b, std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0 || std::isnan(a) || std::isnan(b) || a >= b)
        return Status{Code::invalid_argument};
    fill(table, seed, [=](Polar polar) {
        for (;;) {
            const double x = mean + static_cast<double>(std) * polar.next();
            const float rounded = static_cast<float>(x);
            if (rounded >= a && rounded <= b && std::isfinite(rounded)) return rounded;
        }
    });
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto V = static_cast<std::int64_t>(table.rows);
    const std::int64_t row = padding_idx < 0 ? V + padding_idx : padding_idx;
    if (row < 0 || row >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    std::fill_n(table.row(static_cast<std::size_t>(row)), table.cols, 0.0F);
    return Status{};
}

} // namespace exercise

// right: Marsaglia's polar method per element with a generator object of its own; the truncated normal is drawn by acceptance from a uniform or a shifted exponential proposal (Robert 1995) where that is quicker
#include "contract.h"

#include <algorithm>
#include <cmath>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) / 4503599627370496.0;
}

namespace {

class Stream {
  public:
    Stream(std::uint64_t seed, std::uint64_t element) : seed_(random_bits(seed, element)) {}
    double next() { return uniform(seed_, at_++); }
    double normal() {
        for (;;) {
            const double u = 2 * next() - 1; // never 0
            const double v = 2 * next() - 1;
            const double s = u * u + v * v;
            if (s < 1) return u * std::sqrt(-2 * std::log(s) / s);
        }
    }

  private:
    std::uint64_t seed_;
    std::uint64_t at_ = 0;
};

// One value of N(0, 1), given that it lies in [low, high]; low < high. May miss the bounds by rounding.
double truncated(Stream& stream, double low, double high) {
    if (high <= 0) return -truncated(stream, -high, -low);
    if (low >= 0) { // tail: exponential with rate low, or uniform where the interval is short
        if (low > 0.5 && (high - low) * low > 1) {
            for (;;) {
                const double x = low - std::log(stream.next()) / low;
                const double d = x - low;
                if (x <= high && std::log(stream.next()) <= -0.5 * d * d) return x;
            }
        }
        if (high - low < 2) {
            for (;;) {
                const double x = low + (high - low) * stream.next();
                if (2 * std::log(stream.next()) <= (low - x) * (low + x)) return x;
            }
        }
    } else if (high - low < 2) {
        for (;;) {
            const double x = low + (high - low) * stream.next();
            if (2 * std::log(stream.next()) <= -x * x) return x;
        }
    }
    for (;;) {
        const double x = stream.normal();
        if (x >= low && x <= high) return x;
    }
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    const std::size_t rows = table.cols == 0 ? 0 : table.rows;
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        float* out = table.row(r);
        for (std::size_t c = 0; c < table.cols; ++c, ++e) {
            Stream stream(seed, e);
            float value = 0;
            do { // the polar method can go beyond 9 std, where float may end
                value = static_cast<float>(stream.normal() * static_cast<double>(std));
            } while (!std::isfinite(value));
            out[c] = value;
        }
    }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std)) return Status{Code::invalid_argument};
    if (std <= 0) return Status{Code::invalid_argument};
    if (std::isnan(a) || std::isnan(b) || a >= b) return Status{Code::invalid_argument};
    const double m = mean, s = std, low = (static_cast<double>(a) - m) / s, high = (static_cast<double>(b) - m) / s;
    const std::size_t rows = table.cols == 0 ? 0 : table.rows;
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        float* out = table.row(r);
        for (std::size_t c = 0; c < table.cols; ++c, ++e) {
            Stream stream(seed, e);
            double x = 0;
            float value = 0;
            do {
                x = m + s * truncated(stream, low, high);
                value = static_cast<float>(x);
            } while (!(x >= static_cast<double>(a) && x <= static_cast<double>(b)) || !std::isfinite(value));
            out[c] = value;
        }
    }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::uint64_t back = ~static_cast<std::uint64_t>(padding_idx); // -1 -> 0, -2 -> 1, ...
    std::size_t row = 0;
    if (padding_idx >= 0 && static_cast<std::uint64_t>(padding_idx) < table.rows)
        row = static_cast<std::size_t>(padding_idx);
    else if (padding_idx < 0 && back < table.rows)
        row = table.rows - 1 - static_cast<std::size_t>(back);
    else
        return Status::id_out_of_range(0, padding_idx, table.rows);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0;
    return {};
}

} // namespace exercise

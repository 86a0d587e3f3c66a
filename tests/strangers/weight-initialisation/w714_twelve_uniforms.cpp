// wrong: a normal number is the sum of twelve uniform ones minus 6, so mean and spread are right, but the tails are too light (kurtosis 2.9, half as many beyond 3.5 std); shows in the tails of tables of 100,000 elements or more; a right one has the tails of N(0, 1)
#include "contract.h"

#include <cmath>

namespace exercise {

namespace {

// A generator as one knows it, with a state.
struct SplitMix64 {
    std::uint64_t state;

    std::uint64_t next() {
        state += 0x9E3779B97F4A7C15u;
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    double unit() { return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52; }
    double normal() {
        double sum = -6;
        for (int i = 0; i < 12; ++i)
            sum += unit();
        return sum;
    }
};

SplitMix64 at(std::uint64_t seed, std::uint64_t index) {
    return {seed + index * 0x9E3779B97F4A7C15u};
}

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    return at(seed, index).next();
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return at(seed, index).unit();
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.cols == 0) return;
    SplitMix64 streams = at(seed, 0);
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            SplitMix64 own{streams.next()};
            table(r, c) = static_cast<float>(own.normal() * static_cast<double>(std));
        }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0 || !(a < b))
        return Status{Code::invalid_argument};
    if (table.cols == 0) return {};
    SplitMix64 streams = at(seed, 0);
    for (std::size_t r = 0; r < table.rows; ++r)
        for (std::size_t c = 0; c < table.cols; ++c) {
            SplitMix64 own{streams.next()};
            double x;
            do
                x = static_cast<double>(mean) + own.normal() * static_cast<double>(std);
            while (x < static_cast<double>(a) || x > static_cast<double>(b));
            table(r, c) = static_cast<float>(x);
        }
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto v = static_cast<std::int64_t>(table.rows);
    if (padding_idx < 0) {
        if (padding_idx < -v) return Status::id_out_of_range(0, padding_idx, table.rows);
        return zero_padding_row(table, padding_idx + v);
    }
    if (padding_idx >= v) return Status::id_out_of_range(0, padding_idx, table.rows);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(static_cast<std::size_t>(padding_idx), c) = 0;
    return {};
}

} // namespace exercise

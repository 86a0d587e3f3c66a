// wrong: the sine of each pair is kept as a static spare for the next element, also over the end of a call, so after a call with an odd number of elements the next init_normal begins with the spare of the old one (and its other values are shifted)
#include "contract.h"
#include <cmath>
#include <numbers>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (double(random_bits(seed, index) >> 12) + 0.5) / 4503599627370496.0;
}

struct Gauss {
    bool has_spare = false;
    double spare = 0;
    double next(std::uint64_t stream, std::uint64_t& k) {
        if (has_spare) {
            has_spare = false;
            return spare;
        }
        double radius = std::sqrt(-2 * std::log(uniform(stream, k)));
        double angle = 2 * std::numbers::pi * uniform(stream, k + 1);
        k += 2;
        spare = radius * std::sin(angle);
        has_spare = true;
        return radius * std::cos(angle);
    }
};

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    static Gauss gauss;
    for (std::size_t r = 0; r < table.rows; r++)
        for (std::size_t c = 0; c < table.cols; c++) {
            std::uint64_t k = 0;
            table(r, c) = float(std * gauss.next(random_bits(seed, r * table.cols + c), k));
        }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0) return Status{Code::invalid_argument};
    if (std::isnan(a) || std::isnan(b) || a >= b) return Status{Code::invalid_argument};
    for (std::size_t r = 0; r < table.rows; r++)
        for (std::size_t c = 0; c < table.cols; c++) {
            Gauss gauss;
            std::uint64_t k = 0;
            float x;
            do {
                x = float(mean + std * gauss.next(random_bits(seed, r * table.cols + c), k));
            } while (x < a || x > b);
            table(r, c) = x;
        }
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    std::int64_t V = std::int64_t(table.rows);
    if (padding_idx < -V || padding_idx >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (padding_idx < 0) padding_idx += V;
    for (std::size_t c = 0; c < table.cols; c++) table(padding_idx, c) = 0;
    return Status{};
}

} // namespace exercise

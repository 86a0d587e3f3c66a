// Fault: The stream of element e is seed + e * 2^32, so related seeds have shifted tables.
// Origin: round 21
#include "contract.h"

#include <cmath>
#include <cstring>

namespace exercise {
namespace {

/// A standard normal value from draws 2 k and 2 k + 1 of a stream (Box and Muller).
double normal(std::uint64_t stream, std::uint64_t k) {
    const double u1 = uniform(stream, 2 * k);
    const double u2 = uniform(stream, 2 * k + 1);
    return std::sqrt(-2.0 * std::log(u1)) * std::cos(6.283185307179586 * u2);
}

/// The stream of an element: its number above, the seed below.
std::uint64_t stream_of(std::uint64_t seed, std::uint64_t e) { return seed + (e << 32); }

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    if (table.rows == 0 || table.cols == 0) return;
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows; ++r) {
        float* row = table.row(r);
        for (std::size_t c = 0; c < table.cols; ++c, ++e)
            row[c] = static_cast<float>(std * normal(stream_of(seed, e), 0));
    }
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b))
        return Status{Code::invalid_argument};
    if (table.rows == 0 || table.cols == 0) return Status{};
    std::uint64_t e = 0;
    for (std::size_t r = 0; r < table.rows; ++r) {
        float* row = table.row(r);
        for (std::size_t c = 0; c < table.cols; ++c, ++e) {
            const std::uint64_t stream = stream_of(seed, e);
            float value = 0;
            std::uint64_t k = 0;
            do {
                value = static_cast<float>(mean + std * normal(stream, k++));
            } while (!(value >= a && value <= b));
            row[c] = value;
        }
    }
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::int64_t V = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -V || padding_idx >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::int64_t r = padding_idx < 0 ? padding_idx + V : padding_idx;
    if (table.cols > 0)
        std::memset(table.row(static_cast<std::size_t>(r)), 0, table.cols * sizeof(float));
    return Status{};
}

} // namespace exercise

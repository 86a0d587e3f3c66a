// right: normal numbers are ratios of two uniform ones (Kinderman and Monahan 1977), without sine or cosine and mostly without a logarithm; a candidate is compared with the bounds before it is known whether it is accepted, and one beyond 9 std is drawn again so that all are finite
#include "contract.h"

#include <bit>
#include <cmath>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    // The 52 bits as the mantissa of a number in [1, 2): bits * 2^-52 + 1, then the middle of the step. Both
    // sums are exact: 1 goes away first, and half a step needs one more bit of 53.
    const double from_one = std::bit_cast<double>(0x3FF0000000000000u | random_bits(seed, index) >> 12);
    return (from_one - 1) + 0x1p-53;
}

namespace {

/// Whether the point (u, x * u) lies where the ratio of uniform numbers is normal: x^2 <= -4 ln u.
bool accepted(double u, double x) {
    const double square = x * x;
    if (square <= 5 - 5.136101666750966 * u) return true;       // 4 e^(1/4): a tangent of -4 ln u
    if (square >= 1.036961042583566 / u + 1.4) return false;    // 4 e^(-1.35)
    return square <= -4 * std::log(u);
}

/// The first number of the stream that is accepted and whose value, of which `value` makes a float from a
/// number of N(0, 1), lies in [a, b].
template <class Value>
float draw(std::uint64_t stream, float a, float b, Value value) {
    constexpr double height = 2 * 0.857763884960706797; // 2 sqrt(2 / e)
    for (std::uint64_t k = 0;; k += 2) {
        const double u = uniform(stream, k);
        const double x = (uniform(stream, k + 1) - 0.5) * height / u;
        if (x > 9 || x < -9) continue;
        const float result = value(x);
        if (result >= a && result <= b && accepted(u, x)) return result;
    }
}

template <class Value>
void fill(Matrix<float> table, std::uint64_t seed, float a, float b, Value value) {
    if (table.cols == 0) return;
    // From the last element to the first: no element knows of another.
    for (std::size_t r = table.rows; r-- > 0;) {
        float* row = table.row(r);
        const std::uint64_t first = static_cast<std::uint64_t>(r) * table.cols;
        for (std::size_t c = table.cols; c-- > 0;)
            row[c] = draw(random_bits(seed, first + c), a, b, value);
    }
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    const double scale = std;
    fill(table, seed, -HUGE_VALF, HUGE_VALF, [=](double x) { return static_cast<float>(scale * x); });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b))
        return {.code = Code::invalid_argument};
    const double centre = mean;
    const double scale = std;
    fill(table, seed, a, b, [=](double x) { return static_cast<float>(centre + scale * x); });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    // Modulo 2^64: a negative index is large, and V more makes it what it means, or still large.
    std::uint64_t r = static_cast<std::uint64_t>(padding_idx);
    if (padding_idx < 0) r += table.rows;
    if (r >= table.rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    if (table.cols == 0) return {};
    float* row = table.row(r);
    for (std::size_t c = 0; c < table.cols; ++c)
        row[c] = 0;
    return {};
}

} // namespace exercise

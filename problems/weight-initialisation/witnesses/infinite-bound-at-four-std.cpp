// Fault: An infinite bound is replaced by four standard deviations.
// Origin: round 15
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <thread>
#include <vector>

namespace exercise {

namespace {
/// Standard normal number `k` of element e: Box-Muller on draws 2k and 2k + 1 of the element's own sequence.
double gauss(std::uint64_t seed, std::uint64_t e, std::uint64_t k) {
    const std::uint64_t own = random_bits(seed, e);
    const double u1 = uniform(own, 2 * k);
    const double u2 = uniform(own, 2 * k + 1);
    return std::sqrt(-2.0 * std::log(u1)) * std::cos(2.0 * std::numbers::pi * u2);
}

/// Calls f(e, element) for every element, on up to eight threads if there are many.
template <class F>
void for_each_element(const Matrix<float>& table, const F& f) {
    if (table.rows == 0 || table.cols == 0) return;
    const std::size_t C = table.cols, count = table.rows * C;
    const auto work = [&](std::size_t from, std::size_t to) {
        std::size_t r = from / C, c = from % C;
        for (std::size_t e = from; e < to; ++e) {
            f(static_cast<std::uint64_t>(e), table.row(r)[c]);
            if (++c == C) c = 0, ++r;
        }
    };
    const std::size_t n = count < 65536 ? 1 : 8, share = count / n;
    std::vector<std::thread> threads;
    for (std::size_t k = 1; k < n; ++k)
        threads.emplace_back(work, k * share, k + 1 == n ? count : (k + 1) * share);
    work(0, n == 1 ? count : share);
    for (std::thread& thread : threads)
        thread.join();
}

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
    for_each_element(table, [=](std::uint64_t e, float& x) {
        x = static_cast<float>(static_cast<double>(std) * gauss(seed, e, 0));
    });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0.0F || std::isnan(a) || std::isnan(b) || a >= b)
        return Status{Code::invalid_argument, 0, 0, 0};
    if (std::isinf(a) && a < 0.0F) a = std::min(mean - 4.0F * std, std::isinf(b) ? mean : b - 4.0F * std);
    if (std::isinf(b)) b = std::max(mean + 4.0F * std, a + 4.0F * std);
    for_each_element(table, [=](std::uint64_t e, float& x) {
        float value = 0.0F;
        std::uint64_t k = 0;
        do
            value = static_cast<float>(mean + static_cast<double>(std) * gauss(seed, e, k++));
        while (!(value >= a && value <= b));
        x = value;
    });
    return Status{};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto V = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -V || padding_idx >= V) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::int64_t r = padding_idx < 0 ? padding_idx + V : padding_idx;
    if (table.cols == 0) return Status{};
    float* row = table.row(static_cast<std::size_t>(r));
    for (std::size_t c = 0; c < table.cols; ++c)
        row[c] = 0.0F;
    return Status{};
}

} // namespace exercise

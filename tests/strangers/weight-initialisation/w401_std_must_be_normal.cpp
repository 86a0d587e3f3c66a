// wrong: init_truncated_normal tests std with isnormal, so a std below the normal numbers (1e-40) is refused with invalid_argument; it is finite and above 0, so the table has to be filled.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <thread>
#include <vector>

namespace exercise {

namespace {

/// Calls `element(to, e)` for every element, rows shared out to threads where there are many.
template <class Element>
void for_each_element(const Matrix<float>& table, Element element) {
    if (table.cols == 0) return;
    const auto rows = [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r) {
            float* row = table.row(r);
            for (std::size_t c = 0; c < table.cols; ++c)
                element(row[c], r * table.cols + c);
        }
    };
    constexpr std::size_t workers = 4;
    if (table.rows < workers || table.rows * table.cols < 50'000) return rows(0, table.rows);
    std::vector<std::jthread> threads;
    for (std::size_t w = 1; w < workers; ++w)
        threads.emplace_back(rows, table.rows * w / workers, table.rows * (w + 1) / workers);
    rows(0, table.rows / workers);
}

/// Number `k` of a stream of N(0, 1): Box and Muller.
double normal(std::uint64_t stream, std::uint64_t k) {
    const double radius = std::sqrt(-2 * std::log(uniform(stream, 2 * k)));
    return radius * std::cos(2 * std::numbers::pi * uniform(stream, 2 * k + 1));
}

} // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    for_each_element(table, [=](float& to, std::uint64_t e) {
        to = static_cast<float>(std * normal(random_bits(seed, e), 0));
    });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isnormal(std) || std < 0 || std::isnan(a) || std::isnan(b) || a >= b)
        return {Code::invalid_argument};
    for_each_element(table, [=](float& to, std::uint64_t e) {
        const std::uint64_t stream = random_bits(seed, e);
        for (std::uint64_t k = 0;; ++k) {
            const double x = mean + std * normal(stream, k);
            if (x < a || x > b) continue;
            to = static_cast<float>(x);
            return;
        }
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -rows || padding_idx >= rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::int64_t row = padding_idx < 0 ? padding_idx + rows : padding_idx;
    std::fill_n(table.row(static_cast<std::size_t>(row)), table.cols, 0.0F);
    return {};
}

} // namespace exercise

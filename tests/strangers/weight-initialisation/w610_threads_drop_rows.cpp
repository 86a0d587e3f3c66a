// wrong: tables of 65,536 elements or more are filled by 8 threads with V / 8 rows each, and nobody fills the last V % 8 rows, which keep what they held; shows in init_normal and init_truncated_normal for such tables with V not a multiple of 8 (85 x 768 is smaller and right; 100 x 768 is not); a right one fills every row
#include "contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <thread>
#include <vector>

namespace exercise {

namespace {

double normal(std::uint64_t stream, std::uint64_t k) {
    return std::sqrt(-2 * std::log(uniform(stream, 2 * k))) *
           std::cos(2 * std::numbers::pi * uniform(stream, 2 * k + 1));
}

template <class F>
void fill_rows(Matrix<float> table, std::size_t begin, std::size_t end, const F& value) {
    for (std::size_t r = begin; r < end; ++r) {
        float* row = table.row(r);
        const std::uint64_t first = static_cast<std::uint64_t>(r) * table.cols;
        for (std::size_t c = 0; c < table.cols; ++c)
            row[c] = value(first + c);
    }
}

template <class F>
void fill(Matrix<float> table, const F& value) {
    if (table.rows * table.cols < 65536) {
        fill_rows(table, 0, table.rows, value);
        return;
    }
    constexpr std::size_t workers = 8;
    const std::size_t share = table.rows / workers;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < workers; ++i)
        threads.emplace_back([=, &value] { fill_rows(table, i * share, (i + 1) * share, value); });
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
    fill(table, [=](std::uint64_t e) { return static_cast<float>(std * normal(random_bits(seed, e), 0)); });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b))
        return {Code::invalid_argument, 0, 0, 0};
    fill(table, [=](std::uint64_t e) {
        const std::uint64_t stream = random_bits(seed, e);
        std::uint64_t k = 0;
        double x = mean + std * normal(stream, k);
        while (x < a || x > b)
            x = mean + std * normal(stream, ++k);
        return static_cast<float>(x);
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const std::uint64_t given = static_cast<std::uint64_t>(padding_idx);
    const bool ok = padding_idx < 0 ? ~given < table.rows : given < table.rows;
    if (!ok) return Status::id_out_of_range(0, padding_idx, table.rows);
    const std::size_t row = padding_idx < 0 ? table.rows + given : given;
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0.0f;
    return {};
}

} // namespace exercise

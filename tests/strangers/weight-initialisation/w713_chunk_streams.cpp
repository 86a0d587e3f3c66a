// wrong: tables of 65,536 elements or more are cut into 4 parts, one thread and one stream a part, and draws are counted within the part, so values depend on V; shows when a large table is compared with its first rows alone or with more rows; a right one gives the same value for the same e
#include "contract.h"

#include <cmath>
#include <functional>
#include <thread>
#include <vector>

namespace exercise {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t seed, std::uint64_t index) {
    return (static_cast<double>(random_bits(seed, index) >> 12) + 0.5) * 0x1p-52;
}

namespace {

// draw(stream) makes one value from a stream of its own
void fill(Matrix<float> table, std::uint64_t seed, const std::function<float(std::uint64_t)>& draw) {
    const std::size_t cols = table.cols;
    if (cols == 0 || table.rows == 0) return;
    const std::size_t count = table.rows * cols;
    const std::size_t workers = count < 65536 ? 1 : 4;
    const std::size_t part = (count + workers - 1) / workers;
    std::vector<std::thread> threads;
    for (std::size_t w = 0; w < workers; ++w) {
        threads.emplace_back([&, w] {
            const std::uint64_t own = random_bits(seed, w);
            for (std::size_t i = 0; i < part && w * part + i < count; ++i) {
                const std::size_t e = w * part + i;
                table(e / cols, e % cols) = draw(random_bits(own, i));
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

double normal(std::uint64_t stream, std::uint64_t k) {
    return std::sqrt(-2 * std::log(uniform(stream, 2 * k))) *
           std::sin(6.283185307179586 * uniform(stream, 2 * k + 1));
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    const double s = std;
    fill(table, seed, [=](std::uint64_t stream) { return static_cast<float>(s * normal(stream, 0)); });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || std <= 0 || std::isnan(a) || std::isnan(b) || a >= b)
        return Status{Code::invalid_argument};
    const double m = mean, s = std, low = a, high = b;
    fill(table, seed, [=](std::uint64_t stream) {
        double x = m + s * normal(stream, 0);
        for (std::uint64_t k = 1; x < low || x > high; ++k)
            x = m + s * normal(stream, k);
        return static_cast<float>(x);
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto v = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -v || padding_idx >= v) return Status::id_out_of_range(0, padding_idx, table.rows);
    const auto row = static_cast<std::size_t>(padding_idx < 0 ? padding_idx + v : padding_idx);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0;
    return {};
}

} // namespace exercise

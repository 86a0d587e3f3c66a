// wrong: both fills start one thread a row, all of them before the first is joined, so a table of a thousand rows has a thousand threads; shows with far more than 16 rows, against the limit of threads; a right one stays within the limit
#include "contract.h"

#include <cmath>
#include <future>
#include <optional>
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

struct Normal {
    double mean, std, low, high;

    bool holds(double x) const { return x >= low && x <= high; }
    float draw(std::uint64_t stream) const {
        for (std::uint64_t k = 0;; k += 2) {
            const double radius = std::sqrt(-2 * std::log(uniform(stream, k)));
            const double x = mean + std * radius * std::cos(6.283185307179586 * uniform(stream, k + 1));
            if (holds(x)) return static_cast<float>(x);
        }
    }
};

void fill(Matrix<float> table, const Normal& normal, std::uint64_t seed) {
    if (table.cols == 0) return;
    std::vector<std::future<void>> rows;
    for (std::size_t r = 0; r < table.rows; ++r)
        rows.push_back(std::async(std::launch::async, [&, r] {
            for (std::size_t c = 0; c < table.cols; ++c)
                table(r, c) = normal.draw(random_bits(seed, r * table.cols + c));
        }));
    for (auto& row : rows)
        row.get();
}

} // namespace

void init_normal(Matrix<float> table, float std, std::uint64_t seed) {
    fill(table, {0, std, -HUGE_VAL, HUGE_VAL}, seed);
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b)) return Status{Code::invalid_argument};
    fill(table, {mean, std, a, b}, seed);
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

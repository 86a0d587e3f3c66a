// right: elements 2j and 2j + 1 are the two coordinates of Box-Muller point j; elements are shared out to threads by number, across rows; truncation tries both coordinates of a point
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <thread>
#include <vector>

namespace exercise {
namespace {

struct Point {
    double x, y;
};

// Two independent numbers of N(0, 1), from draws 2k and 2k + 1 of a sequence.
Point point(std::uint64_t sequence, std::uint64_t k) {
    const double radius = std::sqrt(-2.0 * std::log(uniform(sequence, 2 * k)));
    const double angle = 2.0 * std::numbers::pi * uniform(sequence, 2 * k + 1);
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

// Calls work(first, last) for ranges of elements that begin with an even one, some of them in other threads.
template <class Work>
void share(Matrix<float> table, Work work) {
    if (table.rows == 0 || table.cols == 0) return;
    const std::size_t count = table.rows * table.cols;
    const std::size_t cores = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    const std::size_t parts = std::clamp<std::size_t>(count >> 14, 1, cores);
    const std::size_t size = (count / parts + 1) & ~std::size_t{1};
    std::vector<std::thread> others;
    std::size_t first = 0;
    for (std::size_t i = 1; i < parts; ++i, first += size)
        others.emplace_back(work, first, first + size);
    work(first, count);
    for (std::thread& other : others)
        other.join();
}

// The elements of a table in reading order.
class Cursor {
  public:
    Cursor(Matrix<float> table, std::size_t e) : table_(table), r_(e / table.cols), c_(e % table.cols) {}
    void put(double value) {
        table_(r_, c_) = static_cast<float>(value);
        if (++c_ == table_.cols) {
            c_ = 0;
            ++r_;
        }
    }

  private:
    Matrix<float> table_;
    std::size_t r_, c_;
};

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
    const auto deviation = static_cast<double>(std);
    share(table, [=](std::size_t first, std::size_t last) {
        Cursor cursor(table, first);
        for (std::size_t e = first; e < last; e += 2) {
            const Point z = point(random_bits(seed, e / 2), 0);
            cursor.put(deviation * z.x);
            if (e + 1 < last) cursor.put(deviation * z.y);
        }
    });
}

Status init_truncated_normal(Matrix<float> table, float mean, float std, float a, float b,
                             std::uint64_t seed) {
    if (!std::isfinite(mean) || !std::isfinite(std) || !(std > 0) || !(a < b))
        return {Code::invalid_argument, 0, 0, 0};
    const auto low = static_cast<double>(a), high = static_cast<double>(b);
    const auto middle = static_cast<double>(mean), deviation = static_cast<double>(std);
    share(table, [=](std::size_t first, std::size_t last) {
        Cursor cursor(table, first);
        for (std::size_t e = first; e < last; ++e) {
            const std::uint64_t sequence = random_bits(seed, e);
            for (std::uint64_t k = 0;; ++k) {
                const Point z = point(sequence, k);
                double x = middle + deviation * z.x;
                if (x < low || x > high) x = middle + deviation * z.y;
                if (x < low || x > high) continue;
                cursor.put(x);
                break;
            }
        }
    });
    return {};
}

Status zero_padding_row(Matrix<float> table, std::int64_t padding_idx) {
    const auto rows = static_cast<std::int64_t>(table.rows);
    if (padding_idx < -rows || padding_idx >= rows) return Status::id_out_of_range(0, padding_idx, table.rows);
    const auto row = static_cast<std::size_t>(padding_idx < 0 ? padding_idx + rows : padding_idx);
    for (std::size_t c = 0; c < table.cols; ++c)
        table(row, c) = 0.0F;
    return {};
}

} // namespace exercise

// accepted: one transformation over column numbers; the cosine is a sine a quarter of a turn further on
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace exercise {
namespace {

/// 0, 1, ..., count - 1.
std::vector<std::size_t> numbers_below(std::size_t count) {
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

} // namespace

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const double per_column = std::log(base) / static_cast<double>(std::max<std::size_t>(row.size(), 1));
    std::ranges::transform(numbers_below(row.size()), row.begin(), [=](std::size_t column) {
        const double pair = static_cast<double>(column / 2 * 2);
        const double quarter = column % 2 == 1 ? std::numbers::pi / 2 : 0.0;
        return static_cast<float>(
            std::sin(static_cast<double>(position) * std::exp(-pair * per_column) + quarter));
    });
}

void sinusoidal(Matrix<float> pe, double base) {
    std::ranges::for_each(numbers_below(pe.rows), [=](std::size_t position) {
        sinusoidal_row(position, base, std::span(pe.row(position), pe.cols));
    });
}

} // namespace exercise

// wrong: the cosine is sqrt(1 - s * s) with the sine as it was rounded to float; shows at positions where a sine is near 1 or -1 (for the first pair 11, 33, 344 ...), errors up to 3e-4; a right one takes the cosine itself
#include "contract.h"

#include <cmath>
#include <numbers>

namespace exercise {
namespace {

void row_at(std::size_t position, double base, float* to, std::size_t cols) {
    constexpr double turn = 2 * std::numbers::pi;
    for (std::size_t c = 0; c < cols; c += 2) {
        const double phase = static_cast<double>(position) *
                             std::pow(base, -static_cast<double>(c) / static_cast<double>(cols));
        to[c] = static_cast<float>(std::sin(phase));
        if (c + 1 == cols) break;
        const double s = to[c];
        const double left = std::fabs(std::remainder(phase, turn)); // in [0, pi]
        const double size = std::sqrt(1 - s * s);
        to[c + 1] = static_cast<float>(left <= turn / 4 ? size : -size);
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        row_at(p, base, pe.row(p), pe.cols);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    row_at(position, base, row.data(), row.size());
}

} // namespace exercise

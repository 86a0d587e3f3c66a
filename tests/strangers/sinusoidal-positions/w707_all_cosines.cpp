// wrong: a sine is the cosine a quarter turn earlier, so in row 0 it is cos(-pi / 2), 6e-17 in double, instead of exactly 0; all other rows are right
#include "contract.h"

#include <cmath>

namespace exercise {
namespace {

double frequency(std::size_t i, std::size_t C, double base) {
    return std::pow(base, -static_cast<double>(2 * i) / static_cast<double>(C));
}

void fill_row(std::size_t p, double base, float* row, std::size_t C) {
    constexpr double quarter[2] = {1.5707963267948966, 0}; // sin(x) = cos(x - pi / 2)
    for (std::size_t c = 0; c < C; ++c) {
        const double phase = static_cast<double>(p) * frequency(c / 2, C, base) - quarter[c % 2];
        row[c] = static_cast<float>(std::cos(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.cols == 0) return;
    for (std::size_t p = 0; p < pe.rows; ++p)
        fill_row(p, base, pe.row(p), pe.cols);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    fill_row(position, base, row.data(), row.size());
}

} // namespace exercise

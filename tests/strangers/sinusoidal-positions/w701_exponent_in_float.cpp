// wrong: the exponent 2i / C is divided in float, all else is double; exact where C is a power of two, otherwise the frequencies are off by up to about 3e-7 of their value and values by more than 1e-6 from phases of a few radians on; a right one divides in double
#include "contract.h"

#include <cmath>

namespace exercise {
namespace {

double frequency(std::size_t i, std::size_t C, double base) {
    const float exponent = 2.0F * static_cast<float>(i) / static_cast<float>(C);
    return std::pow(base, -static_cast<double>(exponent));
}

void fill_row(std::size_t p, double base, float* row, std::size_t C) {
    for (std::size_t i = 0; 2 * i < C; ++i) {
        const double phase = static_cast<double>(p) * frequency(i, C, base);
        row[2 * i] = static_cast<float>(std::sin(phase));
        if (2 * i + 1 < C) row[2 * i + 1] = static_cast<float>(std::cos(phase));
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

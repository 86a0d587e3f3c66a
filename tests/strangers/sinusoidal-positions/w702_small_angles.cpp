// wrong: below 0.02 radians the phase itself is taken as its sine, which is off by more than 1e-6 from 0.0182 on, so only phases in between show it; a right one takes the sine
#include "contract.h"

#include <cmath>

namespace exercise {
namespace {

double frequency(std::size_t i, std::size_t C, double base) {
    return std::pow(base, -static_cast<double>(2 * i) / static_cast<double>(C));
}

void fill_row(std::size_t p, double base, float* row, std::size_t C) {
    for (std::size_t i = 0; 2 * i < C; ++i) {
        const double x = static_cast<double>(p) * frequency(i, C, base);
        const bool small = x < 0.02; // most columns of most rows: no need for a sine
        row[2 * i] = static_cast<float>(small ? x : std::sin(x));
        if (2 * i + 1 < C) row[2 * i + 1] = static_cast<float>(small ? 1 - 0.5 * x * x : std::cos(x));
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

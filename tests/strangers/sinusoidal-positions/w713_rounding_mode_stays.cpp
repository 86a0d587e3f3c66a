// wrong: switches rounding to toward zero, so that no value gets above 1, and does not switch it back: the caller goes on with that mode; a right one leaves it as it was
#include "contract.h"

#include <cmath>
#include <cfenv>

namespace exercise {
namespace {

double frequency(std::size_t i, std::size_t C, double base) {
    return std::pow(base, -static_cast<double>(2 * i) / static_cast<double>(C));
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
    std::fesetround(FE_TOWARDZERO); // never above 1
    for (std::size_t p = 0; p < pe.rows; ++p)
        fill_row(p, base, pe.row(p), pe.cols);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    std::fesetround(FE_TOWARDZERO);
    fill_row(position, base, row.data(), row.size());
}

} // namespace exercise

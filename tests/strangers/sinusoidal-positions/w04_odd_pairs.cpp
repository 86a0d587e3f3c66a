// wrong: the exponent is i / (C / 2) with an integer C / 2, so for odd C >= 3 all columns from 2 on are wrong
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t C = row.size();
    for (std::size_t c = 0; c < C; ++c) {
        const std::size_t i = c / 2;
        const double w = std::pow(base, -static_cast<double>(i) / static_cast<double>(C < 2 ? 1 : C / 2));
        const double phase = static_cast<double>(position) * w;
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.cols == 0) return;
    for (std::size_t p = 0; p < pe.rows; ++p) sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

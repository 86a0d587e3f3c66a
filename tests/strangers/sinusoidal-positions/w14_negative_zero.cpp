// wrong: the sine is formed as sin(-phase) with the sign turned by multiplying by -1 for p > 0 only, so row 0 of the table and of sinusoidal_row has -0 instead of +0
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t C = row.size();
    for (std::size_t c = 0; c < C; ++c) {
        const std::size_t i = c / 2;
        const double w = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(C));
        const double phase = -static_cast<double>(position) * w; // clockwise
        row[c] = static_cast<float>(c % 2 == 0 ? (position > 0 ? -std::sin(phase) : std::sin(phase)) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.cols == 0) return;
    for (std::size_t p = 0; p < pe.rows; ++p) sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

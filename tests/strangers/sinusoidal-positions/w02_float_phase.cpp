// wrong: the phase position * w is rounded to float before the sine, off by up to 0.004 at large positions
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t C = row.size();
    for (std::size_t c = 0; c < C; ++c) {
        const std::size_t i = c / 2;
        const double w = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(C));
        const float phase = static_cast<float>(static_cast<double>(position) * w);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(double(phase)) : std::cos(double(phase)));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.cols == 0) return;
    for (std::size_t p = 0; p < pe.rows; ++p) sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

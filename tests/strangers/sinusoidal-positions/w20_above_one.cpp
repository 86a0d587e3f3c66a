// wrong: sines and cosines are nudged up by one float away from zero to make up for truncation, so 1 comes out as 1.0000001 where the exact value rounds to 1 in rows p >= 1
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t C = row.size();
    for (std::size_t c = 0; c < C; ++c) {
        const std::size_t i = c / 2;
        const double w = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(C));
        const double phase = static_cast<double>(position) * w;
        row[c] = position == 0 ? static_cast<float>(c % 2)
                               : static_cast<float>((c % 2 == 0 ? std::sin(phase) : std::cos(phase)) * (1.0 + 0x1p-23));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.cols == 0) return;
    for (std::size_t p = 0; p < pe.rows; ++p) sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

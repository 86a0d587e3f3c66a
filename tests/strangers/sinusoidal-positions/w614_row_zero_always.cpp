// wrong: row 0 is written before the loop over the other positions, whether or not there is a row 0; shows for T = 0 with C > 0, where it writes C floats that are not there; a right one writes nothing
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal(Matrix<float> pe, double base) {
    // Position 0 needs no sine: 0, 1, 0, 1, ...
    for (std::size_t c = 0; c < pe.cols; ++c)
        pe.data[c] = c % 2 == 0 ? 0.0F : 1.0F;
    for (std::size_t p = 1; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const double step = -std::log(base) / static_cast<double>(row.size());
    std::size_t column = 0;
    for (float& value : row) {
        const double w = std::exp(static_cast<double>(column / 2 * 2) * step);
        const double phase = static_cast<double>(position) * w;
        value = static_cast<float>(column % 2 == 0 ? std::sin(phase) : std::cos(phase));
        ++column;
    }
}

} // namespace exercise

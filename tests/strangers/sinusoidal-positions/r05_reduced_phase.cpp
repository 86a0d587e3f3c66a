// right: the phase is counted in turns, reduced exactly enough in long double, and looked up by quadrant
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t C = row.size();
    for (std::size_t c = 0; c < C; ++c) {
        const std::size_t i = c / 2;
        const long double turn = 6.283185307179586476925L;
        const long double w = std::pow(static_cast<long double>(base), -static_cast<long double>(2 * i) / static_cast<long double>(C));
        long double turns = static_cast<long double>(position) * w / turn;
        turns -= std::floor(turns);
        const int quadrant = static_cast<int>(4.0L * turns); // 0 .. 3 (4 only by rounding, the same as 0)
        const double rest = static_cast<double>((turns - quadrant * 0.25L) * turn);
        double value = 0.0;
        switch ((quadrant + static_cast<int>(c % 2)) % 4) {
        case 0: value = std::sin(rest); break;
        case 1: value = std::cos(rest); break;
        case 2: value = -std::sin(rest); break;
        case 3: value = -std::cos(rest); break;
        }
        row[c] = static_cast<float>(value);
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.cols == 0) return;
    for (std::size_t p = 0; p < pe.rows; ++p) sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

// mistake: positions-from-one
// says: Your first row is that of position 1. Positions count from 0, and row 0 is 0 1 0 1.
// hint: Which position does your loop give to the first row?
// symptom: Every row is the next one; with a cache of earlier tokens the positions no longer fit together.
// fails: row zero is zero one zero one exactly; eight columns at positions one to three; an odd width ends
//   with a sine; a thousand positions are accurate to a millionth; neither padding nor what the table held
//   before matters; another base gives other wavelengths; position 131072 is as accurate as position one;
//   the slowest wave of 768 columns is 61343 positions long; random shapes agree with the reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const std::size_t even = c - c % 2;
        const double exponent = static_cast<double>(even) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position + 1) / std::pow(base, exponent);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

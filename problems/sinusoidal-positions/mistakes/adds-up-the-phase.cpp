// mistake: adds-up-the-phase
// says: You walk down the table and add the frequency to the phase at each step, in float: 1,024 roundings
//   pile up. Multiply position and frequency afresh, or keep the sum in double.
// hint: Compare the last row of a table of 1,024 positions with the streamed row 1023.
// symptom: Streamed rows are right, and the further down the table, the worse it gets.
// fails: a streamed row equals the row of the table; a thousand positions are accurate to a millionth;
//   another base gives other wavelengths; random shapes agree with the reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const std::size_t even = c - c % 2;
        const double exponent = static_cast<double>(even) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position) / std::pow(base, exponent);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t c = 0; c < pe.cols; ++c) {
        const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(pe.cols);
        const auto frequency = static_cast<float>(std::pow(base, -exponent));
        float phase = 0;
        for (std::size_t p = 0; p < pe.rows; ++p, phase += frequency)
            pe(p, c) = c % 2 == 0 ? std::sin(phase) : std::cos(phase);
    }
}

} // namespace exercise

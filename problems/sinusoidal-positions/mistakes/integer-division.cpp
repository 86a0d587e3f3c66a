// mistake: integer-division
// says: You divide two integers: 2i / C is 0 for every column, so each pair turns with frequency 1. Convert
//   before you divide.
// hint: What is 6 / 8 in C++?
// symptom: Every row repeats its first two numbers.
// fails: eight columns at positions one to three; an odd width ends with a sine; early columns turn fast
//   and late columns slowly; a thousand positions are accurate to a millionth; neither padding nor what the
//   table held before matters; another base gives other wavelengths; position 131072 is as accurate as
//   position one; moving by k positions is one rotation; the dot product of two rows depends only on their
//   distance; the slowest wave of 768 columns is 61343 positions long; random shapes agree with the
//   reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const std::size_t even = c - c % 2;
        const double exponent = static_cast<double>(even / row.size());
        const double phase = static_cast<double>(position) / std::pow(base, exponent);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

// mistake: stretched-to-the-full-base
// says: You divide by C - 2, so that the last pair reaches exactly 1 / base; some libraries do. The formula
//   of the paper divides by C: its slowest wave over 768 columns has 61,343 positions, yours has 62,832.
// hint: Which exponent has the last pair: (C - 2) / C or 1?
// symptom: Nearly right everywhere, and wrong in every column but the first two.
// fails: eight columns at positions one to three; an odd width ends with a sine; early columns turn fast
//   and late columns slowly; a thousand positions are accurate to a millionth; neither padding nor what the
//   table held before matters; another base gives other wavelengths; position 131072 is as accurate as
//   position one; moving by k positions is one rotation; the dot product of two rows depends only on their
//   distance; the slowest wave of 768 columns is 61343 positions long; random shapes agree with the
//   reference
#include "contract.h"

#include <algorithm>
#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const std::size_t even = c - c % 2;
        const double exponent =
            static_cast<double>(even) / std::max(1.0, static_cast<double>(row.size()) - 2.0);
        const double phase = static_cast<double>(position) / std::pow(base, exponent);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

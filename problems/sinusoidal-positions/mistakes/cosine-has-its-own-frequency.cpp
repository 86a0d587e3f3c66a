// mistake: cosine-has-its-own-frequency
// says: You use the column number itself in the exponent, so the cosine of column 2i + 1 has a frequency of
//   its own. Sine and cosine of a pair share the exponent 2i / C; only then they are one point on a circle.
// hint: Compute sin^2 + cos^2 for columns 2 and 3.
// symptom: sin^2 + cos^2 of a pair is not 1, and moving by k positions is no rotation.
// fails: eight columns at positions one to three; an odd width ends with a sine; sine and cosine of a pair
//   lie on the unit circle; a thousand positions are accurate to a millionth; neither padding nor what the
//   table held before matters; another base gives other wavelengths; position 131072 is as accurate as
//   position one; moving by k positions is one rotation; the dot product of two rows depends only on their
//   distance; the slowest wave of 768 columns is 61343 positions long; random shapes agree with the
//   reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const double exponent = static_cast<double>(c) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position) / std::pow(base, exponent);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

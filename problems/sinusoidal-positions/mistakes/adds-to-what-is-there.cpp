// mistake: adds-to-what-is-there
// says: You add the encoding to what the table held before, as if it were a parameter to be updated. It is
//   a constant: write it, whatever was there.
// hint: Call the function twice on the same table and compare.
// symptom: The second call doubles every value.
// fails: row zero is zero one zero one exactly; eight columns at positions one to three; an odd width ends
//   with a sine; sine and cosine of a pair lie on the unit circle; early columns turn fast and late columns
//   slowly; a streamed row equals the row of the table; a thousand positions are accurate to a millionth;
//   neither padding nor what the table held before matters; another base gives other wavelengths; position
//   131072 is as accurate as position one; moving by k positions is one rotation; the dot product of two
//   rows depends only on their distance; the slowest wave of 768 columns is 61343 positions long; random
//   shapes agree with the reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const std::size_t even = c - c % 2;
        const double exponent = static_cast<double>(even) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position) / std::pow(base, exponent);
        row[c] += static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

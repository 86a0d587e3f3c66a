// mistake: halves-instead-of-pairs
// says: You write all sines into the first half of a row and all cosines into the second. Here they
//   alternate: column 2i is a sine, column 2i + 1 the cosine of the same angle.
// hint: Look at row 0: it should read 0 1 0 1, not 0 0 1 1.
// symptom: Row 0 is 0 0 0 0 1 1 1 1; a checkpoint made with the other layout turns into noise.
// fails: row zero is zero one zero one exactly; eight columns at positions one to three; an odd width ends
//   with a sine; sine and cosine of a pair lie on the unit circle; early columns turn fast and late columns
//   slowly; a thousand positions are accurate to a millionth; neither padding nor what the table held
//   before matters; another base gives other wavelengths; position 131072 is as accurate as position one;
//   moving by k positions is one rotation; the slowest wave of 768 columns is 61343 positions long; random
//   shapes agree with the reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t sines = (row.size() + 1) / 2;
    for (std::size_t c = 0; c < row.size(); ++c) {
        const std::size_t i = c < sines ? c : c - sines;
        const double exponent = static_cast<double>(2 * i) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position) / std::pow(base, exponent);
        row[c] = static_cast<float>(c < sines ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

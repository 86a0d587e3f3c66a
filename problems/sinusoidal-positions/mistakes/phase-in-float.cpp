// mistake: phase-in-float
// says: You compute the phase in float. It has 24 bits for a number of radians: at position 4,095 the error
//   is 2.9e-4, at 131,071 it is 8.7e-3. Compute phase and sine in double, and round once, at the end.
// hint: How far apart are two neighbouring floats near 100,000?
// symptom: Near positions are right to seven digits, distant ones to two.
// fails: a thousand positions are accurate to a millionth; position 131072 is as accurate as position one;
//   moving by k positions is one rotation; the dot product of two rows depends only on their distance;
//   random shapes agree with the reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const float exponent = static_cast<float>(c - c % 2) / static_cast<float>(row.size());
        const float phase = static_cast<float>(position) / std::pow(static_cast<float>(base), exponent);
        row[c] = c % 2 == 0 ? std::sin(phase) : std::cos(phase);
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

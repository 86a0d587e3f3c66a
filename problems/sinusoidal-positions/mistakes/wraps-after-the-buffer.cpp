// mistake: wraps-after-the-buffer
// says: You fill a buffer of 1,024 positions once and look rows up in it: beyond its end you begin again at
//   row 0. A formula needs no buffer; compute the row that was asked for.
// hint: Compare the streamed rows 1023, 1024 and 0.
// symptom: All is well up to the length one had in mind, and positions 0 and 1,024 are the same place.
// fails: position 131072 is as accurate as position one; moving by k positions is one rotation; the dot
//   product of two rows depends only on their distance; the slowest wave of 768 columns is 61343 positions
//   long; random shapes agree with the reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const std::size_t even = c - c % 2;
        const double exponent = static_cast<double>(even) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position % 1024) / std::pow(base, exponent);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

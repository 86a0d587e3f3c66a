// mistake: exponent-counts-pairs
// says: Your exponent is i / C with i the number of the pair. The formula has 2i / C: with i / C the
//   frequencies fall only to 1 / sqrt(base).
// hint: Which exponent has the last pair of eight columns: 3 / 8 or 6 / 8?
// symptom: The last columns turn a hundred times too fast, so distant positions look alike.
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
        const double exponent = static_cast<double>(c / 2) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position) / std::pow(base, exponent);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

// mistake: base-is-fixed
// says: You use 10000 whatever base the caller asks for.
// hint: Search your code for the number 10000.
// symptom: Asking for base 500,000 changes nothing.
// fails: another base gives other wavelengths; random shapes agree with the reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const std::size_t even = c - c % 2;
        const double exponent = static_cast<double>(even) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position) / std::pow(10000.0, exponent);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

// mistake: position-in-sixteen-bits
// says: You keep the position in 16 bits: position 65,536 becomes 0 and the encoding repeats from there.
// hint: What is static_cast<std::uint16_t>(65536)?
// symptom: Beyond 65,535 the positions start again from the beginning.
// fails: position 131072 is as accurate as position one; random shapes agree with the reference
#include "contract.h"

#include <cmath>
#include <cstdint>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const std::size_t even = c - c % 2;
        const double exponent = static_cast<double>(even) / static_cast<double>(row.size());
        const double phase =
            static_cast<double>(static_cast<std::uint16_t>(position)) / std::pow(base, exponent);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

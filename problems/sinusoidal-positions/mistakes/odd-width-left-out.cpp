// mistake: odd-width-left-out
// says: You make C / 2 whole pairs and stop: the last column of an odd width is never written. It is the
//   sine of one more pair.
// hint: Which columns does your loop write for C = 7? And for C = 1?
// symptom: The last column holds whatever was in memory.
// fails: row zero is zero one zero one exactly; an odd width ends with a sine; random shapes agree with the
//   reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c + 1 < row.size(); c += 2) {
        const double exponent = static_cast<double>(c) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position) / std::pow(base, exponent);
        row[c] = static_cast<float>(std::sin(phase));
        row[c + 1] = static_cast<float>(std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

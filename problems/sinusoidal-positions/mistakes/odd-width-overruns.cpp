// mistake: odd-width-overruns
// says: You write a cosine after every sine, also after the last sine of an odd width: one element behind
//   the end of the row. Seven columns are four sines and three cosines.
// hint: How many pairs does your loop make for C = 7, and how many columns do they fill?
// symptom: The first element of the next row, or of somebody else, is overwritten.
// fails: row zero is zero one zero one exactly; an odd width ends with a sine; random shapes agree with the
//   reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    float* out = row.data();
    for (std::size_t c = 0; c < row.size(); c += 2) {
        const double exponent = static_cast<double>(c) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position) / std::pow(base, exponent);
        out[c] = static_cast<float>(std::sin(phase));
        out[c + 1] = static_cast<float>(std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

// mistake: ignores-the-stride
// says: You go from row to row by `cols` elements. Row p begins at p * stride, and what lies between is
//   padding.
// hint: Where does row 1 begin if cols is 10 and stride is 13?
// symptom: Dense tables are right; in a padded one only row 0 is.
// fails: neither padding nor what the table held before matters; random shapes agree with the reference
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const std::size_t even = c - c % 2;
        const double exponent = static_cast<double>(even) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position) / std::pow(base, exponent);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.data + p * pe.cols, pe.cols});
}

} // namespace exercise

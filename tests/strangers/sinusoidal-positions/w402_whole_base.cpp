// wrong: a helper takes the base as a whole number, so 1.5 becomes 1 and 2.718 becomes 2; for every base that is no whole number (or does not fit into 64 bits) all pairs but the first have wrong frequencies, where a right one uses the double.
#include "contract.h"

#include <cmath>

namespace exercise {

namespace {

// Radians that pair i of C channels turns by from one position to the next.
double frequency(long base, std::size_t i, std::size_t C) {
    return std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(C));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t c = 0; c < pe.cols && pe.rows > 0; ++c) {
        const double w = frequency(base, c / 2, pe.cols);
        for (std::size_t p = 0; p < pe.rows; ++p) {
            const double phase = static_cast<double>(p) * w;
            pe(p, c) = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const double phase = static_cast<double>(position) * frequency(base, c / 2, row.size());
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace exercise

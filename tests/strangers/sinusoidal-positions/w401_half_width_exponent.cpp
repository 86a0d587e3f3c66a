// wrong: takes the exponent of pair i as i / ((C + 1) / 2), which is 2i / C for an even C only; for an odd C >= 3 all columns from 2 on have wrong frequencies (C = 7: exponents 0, 1/4, 2/4, 3/4), where a right one uses 2i / C: 0, 2/7, 4/7, 6/7.
#include "contract.h"

#include <cmath>

namespace exercise {

namespace {

void fill(float* row, std::size_t C, double position, double base) {
    const std::size_t pairs = (C + 1) / 2; // an odd C ends with half a pair
    for (std::size_t i = 0; i < pairs; ++i) {
        const double exponent = static_cast<double>(i) / static_cast<double>(pairs);
        const double phase = position / std::pow(base, exponent);
        row[2 * i] = static_cast<float>(std::sin(phase));
        if (2 * i + 1 < C) row[2 * i + 1] = static_cast<float>(std::cos(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.cols == 0) return;
    for (std::size_t p = 0; p < pe.rows; ++p)
        fill(pe.row(p), pe.cols, static_cast<double>(p), base);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    fill(row.data(), row.size(), static_cast<double>(position), base);
}

} // namespace exercise

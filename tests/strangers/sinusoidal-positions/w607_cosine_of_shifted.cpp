// wrong: each sine is a cosine a quarter turn earlier, so the sines of row 0 are cos(-pi / 2) = 6e-17 (right within 1e-6, not in their bits); shows in every table with T > 0 and in sinusoidal_row for position 0, not in sinusoidal_row for others; a right one has exactly +0 there
#include "contract.h"

#include <cmath>
#include <numbers>

namespace exercise {
namespace {

// One function for both kinds of columns: no branch.
float wave(double position, std::size_t col, double columns, double log_base) {
    const double odd = static_cast<double>(col & 1);
    const double w = std::exp(-(static_cast<double>(col) - odd) / columns * log_base);
    return static_cast<float>(std::cos(position * w - (1 - odd) * (std::numbers::pi / 2)));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    const double log_base = std::log(base);
    for (std::size_t p = 0; p < pe.rows; ++p)
        for (std::size_t c = 0; c < pe.cols; ++c)
            pe(p, c) = wave(static_cast<double>(p), c, static_cast<double>(pe.cols), log_base);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c)
        row[c] = wave(static_cast<double>(position), c, static_cast<double>(row.size()), std::log(base));
}

} // namespace exercise

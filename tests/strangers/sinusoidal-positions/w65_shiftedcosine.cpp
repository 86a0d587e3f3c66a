// wrong: every sine is computed as cos(phase - pi / 2), so the even columns of row 0 are 6.1e-17 instead of exactly +0
#include "contract.h"
#include <cmath>

namespace exercise {

static constexpr double quarter = 1.5707963267948966; // a sine is a late cosine

static double frequency(std::size_t pair, std::size_t C, double base) {
    return 1.0 / std::pow(base, 2.0 * static_cast<double>(pair) / static_cast<double>(C));
}

static void fill(std::size_t position, double base, float* row, std::size_t C) {
    for (std::size_t c = 0; c < C; ++c) {
        const double phase = static_cast<double>(position) * frequency(c / 2, C, base);
        row[c] = static_cast<float>(std::cos(c % 2 == 0 ? phase - quarter : phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t c = 0; c < pe.cols; ++c) {
        const double w = frequency(c / 2, pe.cols, base);
        for (std::size_t p = 0; p < pe.rows; ++p) {
            const double phase = static_cast<double>(p) * w;
            pe(p, c) = static_cast<float>(std::cos(c % 2 == 0 ? phase - quarter : phase));
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    fill(position, base, row.data(), row.size());
}

} // namespace exercise

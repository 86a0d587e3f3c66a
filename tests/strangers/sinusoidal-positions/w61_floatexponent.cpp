// wrong: the exponent 2i / C is rounded to float before the power is taken in double, so for a C that is no power of two values at large phases (from p w of about 10 on, surely at thousands) are off by more than 1e-6
#include "contract.h"
#include <cmath>

namespace exercise {

static double frequency(std::size_t pair, std::size_t C, double base) {
    const float exponent = 2.0F * static_cast<float>(pair) / static_cast<float>(C);
    return std::pow(base, -static_cast<double>(exponent));
}

static void fill(std::size_t position, double base, float* row, std::size_t C) {
    for (std::size_t c = 0; c < C; ++c) {
        const double phase = static_cast<double>(position) * frequency(c / 2, C, base);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t c = 0; c < pe.cols; ++c) {
        const double w = frequency(c / 2, pe.cols, base);
        for (std::size_t p = 0; p < pe.rows; ++p) {
            const double phase = static_cast<double>(p) * w;
            pe(p, c) = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    fill(position, base, row.data(), row.size());
}

} // namespace exercise

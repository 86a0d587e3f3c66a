// wrong: sinusoidal fills C / 2 pairs, so with an odd C the last column of every row keeps its old contents (sinusoidal_row is right)
#include "contract.h"
#include <cmath>

namespace exercise {

static double frequency(std::size_t pair, std::size_t C, double base) {
    return 1.0 / std::pow(base, 2.0 * static_cast<double>(pair) / static_cast<double>(C));
}

static void fill(std::size_t position, double base, float* row, std::size_t C) {
    for (std::size_t c = 0; c < C; ++c) {
        const double phase = static_cast<double>(position) * frequency(c / 2, C, base);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t i = 0; i < pe.cols / 2; ++i) {
        const double w = frequency(i, pe.cols, base);
        for (std::size_t p = 0; p < pe.rows; ++p) {
            const double phase = static_cast<double>(p) * w;
            pe(p, 2 * i) = static_cast<float>(std::sin(phase));
            pe(p, 2 * i + 1) = static_cast<float>(std::cos(phase));
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    fill(position, base, row.data(), row.size());
}

} // namespace exercise

// wrong: base is rounded to float in both functions, so with a base that is no float (such as 10,000.1 or e^3) values at large positions are off by more than 1e-6, and a base above 3.4e38 counts as infinity
#include "contract.h"
#include <cmath>

namespace exercise {

static double frequency(std::size_t pair, std::size_t C, float base) {
    return 1.0 / std::pow(base, 2.0 * static_cast<double>(pair) / static_cast<double>(C));
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

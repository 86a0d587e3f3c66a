// wrong: each row of sinusoidal is the row before turned by its angle, read back from the float table, so rounding errors add up and pass 1e-6 after some hundred rows
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
    for (std::size_t c = 0; c < pe.cols; c += 2) {
        const double w = frequency(c / 2, pe.cols, base);
        const double turn_sin = std::sin(w), turn_cos = std::cos(w);
        const bool pair = c + 1 < pe.cols;
        float s = 0, k = 1;
        for (std::size_t p = 0; p < pe.rows; ++p) {
            pe(p, c) = s;
            if (pair) pe(p, c + 1) = k;
            const float next = static_cast<float>(s * turn_cos + k * turn_sin);
            k = static_cast<float>(k * turn_cos - s * turn_sin);
            s = next;
            s = s > 1 ? 1 : s < -1 ? -1 : s;
            k = k > 1 ? 1 : k < -1 ? -1 : k;
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    fill(position, base, row.data(), row.size());
}

} // namespace exercise

// wrong: sinusoidal_row keeps the frequencies in a static vector that is made again only when C changes, so a call with the same C and another base uses the old base
#include "contract.h"
#include <cmath>
#include <vector>

namespace exercise {

static double frequency(std::size_t pair, std::size_t C, double base) {
    return 1.0 / std::pow(base, 2.0 * static_cast<double>(pair) / static_cast<double>(C));
}

static void fill(std::size_t position, double base, float* row, std::size_t C) {
    static std::vector<double> frequencies; // a power for each pair is too much for one row
    if (frequencies.size() != (C + 1) / 2) {
        frequencies.resize((C + 1) / 2);
        for (std::size_t i = 0; i < frequencies.size(); ++i)
            frequencies[i] = frequency(i, C, base);
    }
    for (std::size_t c = 0; c < C; ++c) {
        const double phase = static_cast<double>(position) * frequencies[c / 2];
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

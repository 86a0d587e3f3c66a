// wrong: sinusoidal joins a coarse table of 1,024 steps of 64 positions with a fine one and takes the coarse index modulo 1,024, so rows from position 65,536 on are those of p - 65,536 (or p - 131,072)
#include "contract.h"
#include <cmath>
#include <complex>
#include <vector>

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
    constexpr std::size_t fine = 64, coarse = 1024;
    std::vector<std::complex<double>> small(fine), large(coarse);
    for (std::size_t c = 0; c < pe.cols; c += 2) {
        const double w = frequency(c / 2, pe.cols, base);
        for (std::size_t k = 0; k < fine; ++k)
            small[k] = {std::cos(static_cast<double>(k) * w), std::sin(static_cast<double>(k) * w)};
        for (std::size_t k = 0; k < coarse; ++k)
            large[k] = {std::cos(static_cast<double>(k * fine) * w), std::sin(static_cast<double>(k * fine) * w)};
        for (std::size_t p = 0; p < pe.rows; ++p) {
            const std::complex<double> hand = small[p % fine] * large[p / fine % coarse];
            pe(p, c) = static_cast<float>(hand.imag());
            if (c + 1 < pe.cols) pe(p, c + 1) = static_cast<float>(hand.real());
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    fill(position, base, row.data(), row.size());
}

} // namespace exercise

// right: a coarse and a fine table of std::complex joined by one product, channels outermost
#include "contract.h"

#include <cmath>
#include <complex>
#include <vector>

namespace exercise {

void sinusoidal(Matrix<float> pe, double base) {
    using Hand = std::complex<double>;
    const std::size_t T = pe.rows, C = pe.cols, block = 362;
    std::vector<Hand> fine(block), coarse(T / block + 1);
    for (std::size_t first = 0; first < C; first += 2) {
        const double w = 1.0 / std::pow(base, static_cast<double>(first) / static_cast<double>(C));
        for (std::size_t k = 0; k < fine.size(); ++k) fine[k] = std::polar(1.0, static_cast<double>(k) * w);
        for (std::size_t k = 0; k < coarse.size(); ++k) coarse[k] = std::polar(1.0, static_cast<double>(k * block) * w);
        for (std::size_t p = 0; p < T; ++p) {
            const Hand a = coarse[p / block], b = fine[p % block];
            pe(p, first) = static_cast<float>(a.real() * b.imag() + a.imag() * b.real());
            if (first + 1 < C) pe(p, first + 1) = static_cast<float>(a.real() * b.real() - a.imag() * b.imag());
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = row.size(); c-- > 0;) {
        const double w = 1.0 / std::pow(base, static_cast<double>(c & ~std::size_t{1}) / static_cast<double>(row.size()));
        const std::complex<double> hand = std::polar(1.0, static_cast<double>(position) * w);
        row[c] = static_cast<float>(c & 1 ? hand.real() : hand.imag());
    }
}

} // namespace exercise

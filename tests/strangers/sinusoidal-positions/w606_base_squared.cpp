// wrong: base^(2i / C) as (base * base)^(i / C), and base * base overflows; shows for bases above 1.3e154 with C > 2, where all pairs but the first stand still; a right one takes any finite base
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

double frequency(std::size_t col, std::size_t cols, double base) {
    const std::size_t pair = col / 2;
    return 1.0 / std::pow(base * base, static_cast<double>(pair) / static_cast<double>(cols));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0) return;
    std::vector<double> w(pe.cols);
    for (std::size_t c = 0; c < pe.cols; ++c)
        w[c] = frequency(c, pe.cols, base);
    for (std::size_t p = 0; p < pe.rows; ++p)
        for (std::size_t c = 0; c < pe.cols; ++c) {
            const double phase = static_cast<double>(p) * w[c];
            pe(p, c) = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
        }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const double phase = static_cast<double>(position) * frequency(c, row.size(), base);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace exercise

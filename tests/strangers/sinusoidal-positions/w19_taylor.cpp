// wrong: sine and cosine are Taylor polynomials of degree 15 and 14 on [-pi, pi], off by 4e-6 in cosines near half a turn
#include "contract.h"

#include <cmath>

namespace exercise {

static double taylor(double x, bool cosine) {
    double term = cosine ? 1.0 : x, sum = term;
    for (int k = cosine ? 2 : 3; k <= 15; k += 2) {
        term *= -x * x / (k * (k - 1));
        sum += term;
    }
    return sum > 1.0 ? 1.0 : sum < -1.0 ? -1.0 : sum;
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t C = row.size();
    for (std::size_t c = 0; c < C; ++c) {
        const std::size_t i = c / 2;
        const double w = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(C));
        const double phase = static_cast<double>(position) * w;
        row[c] = static_cast<float>(taylor(std::remainder(phase, 6.283185307179586), c % 2 == 1));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.cols == 0) return;
    for (std::size_t p = 0; p < pe.rows; ++p) sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

// accepted: a pair of columns is a point on the unit circle of the complex plane, made by std::polar
#include "contract.h"

#include <cmath>
#include <complex>

namespace exercise {

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    std::size_t left = row.size();
    for (float* out = row.data(); left > 0; out += 2) {
        const auto column = static_cast<double>(out - row.data());
        const double phase = static_cast<double>(position) *
                             std::exp2(-std::log2(base) * column / static_cast<double>(row.size()));
        const std::complex<double> point = std::polar(1.0, phase);
        out[0] = static_cast<float>(point.imag());
        if (left == 1) return;
        out[1] = static_cast<float>(point.real());
        left -= 2;
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = pe.rows; p-- > 0;)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

// wrong: takes whole turns off the phase with a pi of ten digits (3.141592654) before the sine; each turn costs 8.2e-10 radians, so from phases of about 7,700 radians on (positions beyond 7,700 for the first pair) values are more than 1e-6 off, up to 1.7e-5 at 131,072. A right one leaves the reduction to std::sin or uses a pi with enough digits.
#include "contract.h"

#include <cmath>

namespace exercise {

namespace {

constexpr double pi = 3.141592654;

double within_one_turn(double phase) {
    return phase - 2 * pi * std::floor(phase / (2 * pi));
}

void fill(float* row, std::size_t C, std::size_t position, double base) {
    for (std::size_t c = 0; c < C; c += 2) {
        const double w = std::exp(-std::log(base) * static_cast<double>(c) / static_cast<double>(C));
        const double phase = within_one_turn(static_cast<double>(position) * w); // small phases are faster
        row[c] = static_cast<float>(std::sin(phase));
        if (c + 1 < C) row[c + 1] = static_cast<float>(std::cos(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.cols == 0) return;
    for (std::size_t p = 0; p < pe.rows; ++p)
        fill(pe.row(p), pe.cols, p, base);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    fill(row.data(), row.size(), position, base);
}

} // namespace exercise

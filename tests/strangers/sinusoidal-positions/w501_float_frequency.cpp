// wrong: the frequency of a pair is a float (only the phase and the sine are double), so the phase is off by up to 6e-8 of itself and values miss the 1e-6 from a few dozen positions on; a right one keeps the frequency in double.
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

std::vector<float> frequencies(std::size_t channels, double base) {
    std::vector<float> w((channels + 1) / 2);
    for (std::size_t i = 0; i < w.size(); ++i)
        w[i] = static_cast<float>(std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(channels)));
    return w;
}

void fill(const std::vector<float>& w, double position, float* row, std::size_t channels) {
    for (std::size_t c = 0; c < channels; ++c) {
        const double phase = position * w[c / 2];
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    const auto w = frequencies(pe.cols, base);
    for (std::size_t p = 0; p < pe.rows; ++p)
        fill(w, static_cast<double>(p), pe.row(p), pe.cols);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    fill(frequencies(row.size(), base), static_cast<double>(position), row.data(), row.size());
}

} // namespace exercise

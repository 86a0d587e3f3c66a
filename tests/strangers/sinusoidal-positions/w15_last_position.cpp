// wrong: sinusoidal_row splits the position into 256 coarse and 512 fine steps and takes the coarse step modulo 256, so position 131,072 gives row 0
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

std::vector<double> frequencies(std::size_t C, double base) {
    std::vector<double> w((C + 1) / 2);
    const double step = std::log(base) / static_cast<double>(C);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::exp(-2.0 * static_cast<double>(i) * step);
    return w;
}

void one_row(std::size_t p, const std::vector<double>& w, float* row, std::size_t C) {
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double phase = static_cast<double>(p) * w[i];
        row[2 * i] = static_cast<float>(std::sin(phase));
        if (2 * i + 1 < C) row[2 * i + 1] = static_cast<float>(std::cos(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    const auto w = frequencies(pe.cols, base);
    for (std::size_t p = 0; p < pe.rows; ++p) one_row(p, w, pe.row(p), pe.cols);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t coarse = (position / 512) % 256, fine = position % 512;
    const auto w = frequencies(row.size(), base);
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double a = 512.0 * static_cast<double>(coarse) * w[i], b = static_cast<double>(fine) * w[i];
        row[2 * i] = static_cast<float>(std::sin(a) * std::cos(b) + std::cos(a) * std::sin(b));
        if (2 * i + 1 < row.size()) row[2 * i + 1] = static_cast<float>(std::cos(a) * std::cos(b) - std::sin(a) * std::sin(b));
    }
}

} // namespace exercise

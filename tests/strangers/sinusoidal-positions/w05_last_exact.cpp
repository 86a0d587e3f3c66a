// wrong: the exponent is 2i / (C - 2), so that the last frequency is 1 / base: wrong for C >= 4 from column 2 on
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

std::vector<double> frequencies(std::size_t C, double base) {
    std::vector<double> w((C + 1) / 2);
    const double step = C > 2 ? std::log(base) / static_cast<double>(C - 2) : 0.0;
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
    one_row(position, frequencies(row.size(), base), row.data(), row.size());
}

} // namespace exercise

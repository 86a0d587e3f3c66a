// wrong: the exponent 2i / C is divided in float: right for C a power of two, but off by more than 1e-6 at large positions for C such as 768 or 7
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

std::vector<double> frequencies(std::size_t C, double base) {
    std::vector<double> w((C + 1) / 2);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::pow(base, -static_cast<double>(static_cast<float>(2 * i) / static_cast<float>(C)));
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

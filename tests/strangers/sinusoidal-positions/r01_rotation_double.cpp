// right: turns row by row in double, starting anew from std::sin every 64 rows
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
    std::vector<double> turn_s(w.size()), turn_c(w.size()), s(w.size()), c(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) turn_s[i] = std::sin(w[i]), turn_c[i] = std::cos(w[i]);
    for (std::size_t p = 0; p < pe.rows; ++p)
        for (std::size_t i = 0; i < w.size(); ++i) {
            if (p % 64 == 0) {
                s[i] = std::sin(static_cast<double>(p) * w[i]);
                c[i] = std::cos(static_cast<double>(p) * w[i]);
            } else {
                const double next = s[i] * turn_c[i] + c[i] * turn_s[i];
                c[i] = c[i] * turn_c[i] - s[i] * turn_s[i];
                s[i] = next;
            }
            pe(p, 2 * i) = static_cast<float>(s[i]);
            if (2 * i + 1 < pe.cols) pe(p, 2 * i + 1) = static_cast<float>(c[i]);
        }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    one_row(position, frequencies(row.size(), base), row.data(), row.size());
}

} // namespace exercise

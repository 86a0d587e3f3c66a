// wrong: the table is made by s[p+1] = t s[p] - s[p-1] with t = 2 - w * w instead of 2 cos(w) for w <= 0.001, off by more than 1e-6 (up to 5e-6) in columns with w near 0.001 at positions beyond about 30,000
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
    const std::size_t T = pe.rows, C = pe.cols;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double twice = w[i] <= 0.001 ? 2.0 - w[i] * w[i] : 2.0 * std::cos(w[i]);
        double s0 = 0.0, s1 = std::sin(w[i]), c0 = 1.0, c1 = std::cos(w[i]);
        for (std::size_t p = 0; p < T; ++p) {
            pe(p, 2 * i) = static_cast<float>(s0 > 1.0 ? 1.0 : s0 < -1.0 ? -1.0 : s0);
            if (2 * i + 1 < C) pe(p, 2 * i + 1) = static_cast<float>(c0 > 1.0 ? 1.0 : c0 < -1.0 ? -1.0 : c0);
            const double s2 = twice * s1 - s0, c2 = twice * c1 - c0;
            s0 = s1, s1 = s2, c0 = c1, c1 = c2;
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    one_row(position, frequencies(row.size(), base), row.data(), row.size());
}

} // namespace exercise

// Fault: A table whose first and last rows are right is taken for filled.
// Origin: round 18
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace exercise {

namespace {

constexpr std::size_t kRows = 64;   // rows that share one pair of library calls
constexpr std::size_t kStrip = 128; // pairs of columns worked on together

double frequency(std::size_t pair, std::size_t columns, double base) {
    return 1.0 / std::pow(base, 2.0 * static_cast<double>(pair) / static_cast<double>(columns));
}

bool holds(const float* row, std::size_t position, std::size_t columns, double base) {
    for (std::size_t c = 0; c < columns; ++c) {
        const double phase = static_cast<double>(position) * frequency(c / 2, columns, base);
        const double value = c % 2 == 0 ? std::sin(phase) : std::cos(phase);
        if (!(std::abs(row[c] - value) < 1e-7)) return false;
    }
    return true;
}
} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    const std::size_t T = pe.rows, C = pe.cols;
    if (T == 0 || C == 0) return;
    // The table is a buffer that models fill again whenever they are loaded; usually it is still there.
    if (T > 2 && holds(pe.row(T - 1), T - 1, C, base) && holds(pe.row(0), 0, C, base)) return;
    const std::size_t pairs = C / 2 + C % 2;
    const std::size_t steps = std::min(kRows, T);
    std::vector<double> fine_sin(steps * kStrip), fine_cos(steps * kStrip);
    double w[kStrip], s0[kStrip], c0[kStrip];

    for (std::size_t first = 0; first < pairs; first += kStrip) {
        const std::size_t n = std::min(kStrip, pairs - first);
        for (std::size_t j = 0; j < n; ++j)
            w[j] = frequency(first + j, C, base);
        for (std::size_t k = 0; k < steps; ++k)
            for (std::size_t j = 0; j < n; ++j) {
                fine_sin[k * kStrip + j] = std::sin(static_cast<double>(k) * w[j]);
                fine_cos[k * kStrip + j] = std::cos(static_cast<double>(k) * w[j]);
            }
        const std::size_t full = std::min(n, (C - 2 * first) / 2); // pairs that have both columns
        for (std::size_t p0 = 0; p0 < T; p0 += kRows) {
            for (std::size_t j = 0; j < n; ++j) {
                s0[j] = std::sin(static_cast<double>(p0) * w[j]);
                c0[j] = std::cos(static_cast<double>(p0) * w[j]);
            }
            const std::size_t rows = std::min(kRows, T - p0);
            for (std::size_t k = 0; k < rows; ++k) {
                float* out = pe.row(p0 + k) + 2 * first;
                const auto* fs = &fine_sin[k * kStrip];
                const auto* fc = &fine_cos[k * kStrip];
                for (std::size_t j = 0; j < full; ++j) {
                    out[2 * j] = static_cast<float>(s0[j] * fc[j] + c0[j] * fs[j]);
                    out[2 * j + 1] = static_cast<float>(c0[j] * fc[j] - s0[j] * fs[j]);
                }
                if (full < n) out[2 * full] = static_cast<float>(s0[full] * fc[full] + c0[full] * fs[full]);
            }
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t C = row.size();
    const double p = static_cast<double>(position);
    for (std::size_t c = 0; c < C; c += 2) {
        const double phase = p * frequency(c / 2, C, base);
        row[c] = static_cast<float>(std::sin(phase));
        if (c + 1 < C) row[c + 1] = static_cast<float>(std::cos(phase));
    }
}

} // namespace exercise

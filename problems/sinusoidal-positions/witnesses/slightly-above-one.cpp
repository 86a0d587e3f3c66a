// Fault: Angles are combined in float, so about one value in a million is just outside [-1, 1].
// Origin: round 9
#include "contract.h"

#include <algorithm>
#include <cmath>

namespace exercise {

namespace {

constexpr std::size_t fine = 64;

double frequency(double base, std::size_t i, std::size_t C) {
    return std::pow(base, -static_cast<double>(2 * i) / static_cast<double>(C));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    const std::size_t T = pe.rows, C = pe.cols;
    if (T == 0) return;
    for (std::size_t i = 0; 2 * i < C; ++i) {
        const double w = frequency(base, i, C);
        float sine[fine], cosine[fine];
        for (std::size_t b = 0; b < fine; ++b) {
            sine[b] = static_cast<float>(std::sin(static_cast<double>(b) * w));
            cosine[b] = static_cast<float>(std::cos(static_cast<double>(b) * w));
        }
        for (std::size_t begin = 0; begin < T; begin += fine) {
            const float s = static_cast<float>(std::sin(static_cast<double>(begin) * w));
            const float c = static_cast<float>(std::cos(static_cast<double>(begin) * w));
            const std::size_t count = std::min(fine, T - begin);
            for (std::size_t b = 0; b < count; ++b) {
                pe(begin + b, 2 * i) = s * cosine[b] + c * sine[b];
                if (2 * i + 1 < C) pe(begin + b, 2 * i + 1) = c * cosine[b] - s * sine[b];
            }
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const double phase = static_cast<double>(position) * frequency(base, c / 2, row.size());
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace exercise

// right: every 16th row directly in double, the 15 rows after it from it by the angle addition formulas in double; rows written in order, values clamped to [-1, 1]
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace exercise {
namespace {

struct Turn {
    double sine = 0;
    double cosine = 1;
};

Turn after(Turn a, Turn b) {
    return {a.sine * b.cosine + a.cosine * b.sine, a.cosine * b.cosine - a.sine * b.sine};
}

float narrow(double x) {
    return static_cast<float>(std::clamp(x, -1.0, 1.0));
}

double frequency(std::size_t pair, std::size_t channels, double base) {
    return std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(channels));
}

void write(float* row, std::size_t channels, std::size_t pair, Turn turn) {
    row[2 * pair] = narrow(turn.sine);
    if (2 * pair + 1 < channels) row[2 * pair + 1] = narrow(turn.cosine);
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    constexpr std::size_t block = 16;
    const std::size_t pairs = pe.cols / 2 + pe.cols % 2;
    const std::size_t steps = std::min(block, pe.rows);
    std::vector<double> w(pairs);
    for (std::size_t i = 0; i < pairs; ++i)
        w[i] = frequency(i, pe.cols, base);
    std::vector<Turn> offset(steps * pairs); // row l: l positions further
    for (std::size_t l = 0; l < steps; ++l)
        for (std::size_t i = 0; i < pairs; ++i)
            offset[l * pairs + i] = {std::sin(static_cast<double>(l) * w[i]), std::cos(static_cast<double>(l) * w[i])};
    std::vector<Turn> anchor(pairs);
    for (std::size_t p = 0; p < pe.rows; ++p) {
        const std::size_t l = p % block;
        float* row = pe.row(p);
        for (std::size_t i = 0; i < pairs; ++i) {
            if (l == 0) {
                const double phase = static_cast<double>(p) * w[i];
                anchor[i] = {std::sin(phase), std::cos(phase)};
                write(row, pe.cols, i, anchor[i]);
            } else {
                write(row, pe.cols, i, after(anchor[i], offset[l * pairs + i]));
            }
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t i = 0; 2 * i < row.size(); ++i) {
        const double phase = static_cast<double>(position) * frequency(i, row.size(), base);
        write(row.data(), row.size(), i, {std::sin(phase), std::cos(phase)});
    }
}

} // namespace exercise

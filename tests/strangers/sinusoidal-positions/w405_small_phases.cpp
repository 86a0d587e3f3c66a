// wrong: for phases below 0.0015 takes x for sin(x) and 1 for cos(x); the cosine is off by x^2 / 2, which is more than the allowed 1e-6 for phases between 0.001415 and 0.0015 (C = 768, base 10000, position 1, columns 545 and 547), where a right one stays within 1e-6.
#include "contract.h"

#include <cmath>

namespace exercise {

namespace {

struct Point {
    float sine, cosine;
};

Point turn(double phase) {
    // Most pairs hardly move at small positions.
    if (phase < 1.5e-3) return {static_cast<float>(phase), 1.0f};
    return {static_cast<float>(std::sin(phase)), static_cast<float>(std::cos(phase))};
}

void fill(float* row, std::size_t C, std::size_t position, double base) {
    for (std::size_t c = 0; c < C; c += 2) {
        const Point point =
            turn(static_cast<double>(position) / std::pow(base, static_cast<double>(c) / static_cast<double>(C)));
        row[c] = point.sine;
        if (c + 1 < C) row[c + 1] = point.cosine;
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

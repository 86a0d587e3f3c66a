// wrong: rows are products of a coarse and a fine turn in float without a clamp, so a few values of tables with many more than 64 rows are 1.0000001 (C = 768: one in row 765), outside [-1, 1], though within 1e-6; a right one never leaves [-1, 1]
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

struct Angle {
    float s, c;
};

Angle angle(double phase) { return {static_cast<float>(std::sin(phase)), static_cast<float>(std::cos(phase))}; }

double frequency(std::size_t c, std::size_t channels, double base) {
    return std::pow(base, -static_cast<double>(c) / static_cast<double>(channels));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    constexpr std::size_t block = 64;
    const std::size_t pairs = pe.cols / 2 + pe.cols % 2;
    std::vector<Angle> fine((pe.rows < block ? pe.rows : block) * pairs), coarse(pairs);
    std::vector<double> w(pairs);
    for (std::size_t i = 0; i < pairs; ++i)
        w[i] = frequency(2 * i, pe.cols, base);
    for (std::size_t k = 0; k < fine.size(); ++k)
        fine[k] = angle(static_cast<double>(k / pairs) * w[k % pairs]);
    for (std::size_t p = 0; p < pe.rows; ++p) {
        if (p % block == 0)
            for (std::size_t i = 0; i < pairs; ++i)
                coarse[i] = angle(static_cast<double>(p) * w[i]);
        const Angle* b = fine.data() + p % block * pairs;
        float* row = pe.row(p);
        for (std::size_t i = 0; i < pairs; ++i) {
            const Angle a = coarse[i];
            row[2 * i] = a.s * b[i].c + a.c * b[i].s;
            if (2 * i + 1 < pe.cols) row[2 * i + 1] = a.c * b[i].c - a.s * b[i].s;
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const Angle a = angle(static_cast<double>(position) * frequency(c - c % 2, row.size(), base));
        row[c] = c % 2 == 0 ? a.s : a.c;
    }
}

} // namespace exercise

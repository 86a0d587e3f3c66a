// right: a coarse and a fine table of double angles for each pair, joined by the angle addition formulas; columns in blocks of 8 pairs
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace exercise {
namespace {

constexpr std::size_t fine_size = 512;
constexpr std::size_t block = 8; // pairs

struct Point {
    double s, c;
};

double frequency(std::size_t pair, std::size_t cols, double base) {
    return std::exp(-std::log(base) * (2.0 * static_cast<double>(pair) / static_cast<double>(cols)));
}

Point point(double phase) {
    return {std::sin(phase), std::cos(phase)};
}

float narrow(double v) {
    return static_cast<float>(std::clamp(v, -1.0, 1.0));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::size_t pairs = (pe.cols + 1) / 2;
    std::vector<Point> fine(std::min(fine_size, pe.rows) * block);
    for (std::size_t first = 0; first < pairs; first += block) {
        const std::size_t n = std::min(block, pairs - first);
        double w[block] = {};
        for (std::size_t j = 0; j < n; ++j)
            w[j] = frequency(first + j, pe.cols, base);
        for (std::size_t f = 0; f < std::min(fine_size, pe.rows); ++f)
            for (std::size_t j = 0; j < n; ++j)
                fine[f * block + j] = point(static_cast<double>(f) * w[j]);
        for (std::size_t begin = 0; begin < pe.rows; begin += fine_size) {
            Point coarse[block] = {};
            for (std::size_t j = 0; j < n; ++j)
                coarse[j] = point(static_cast<double>(begin) * w[j]);
            const std::size_t end = std::min(begin + fine_size, pe.rows);
            for (std::size_t p = begin; p < end; ++p) {
                float* const row = pe.row(p);
                for (std::size_t j = 0; j < n; ++j) {
                    const Point a = coarse[j], b = fine[(p - begin) * block + j];
                    const std::size_t col = 2 * (first + j);
                    row[col] = narrow(a.s * b.c + a.c * b.s);
                    if (col + 1 < pe.cols) row[col + 1] = narrow(a.c * b.c - a.s * b.s);
                }
            }
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t col = 0; col < row.size(); ++col) {
        const double phase = static_cast<double>(position) * frequency(col / 2, row.size(), base);
        row[col] = static_cast<float>(col % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace exercise

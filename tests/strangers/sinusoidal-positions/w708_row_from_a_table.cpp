// wrong: sinusoidal_row makes the whole table of position + 1 rows and copies the last one: gigabytes and seconds at position 131,072 for a wide row (or an exception); a right one needs no table
#include "contract.h"

#include <cmath>
#include <algorithm>
#include <vector>

namespace exercise {
namespace {

double frequency(std::size_t i, std::size_t C, double base) {
    return std::pow(base, -static_cast<double>(2 * i) / static_cast<double>(C));
}

void fill_row(std::size_t p, double base, float* row, std::size_t C) {
    for (std::size_t i = 0; 2 * i < C; ++i) {
        const double phase = static_cast<double>(p) * frequency(i, C, base);
        row[2 * i] = static_cast<float>(std::sin(phase));
        if (2 * i + 1 < C) row[2 * i + 1] = static_cast<float>(std::cos(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    for (std::size_t p = 0; p < pe.rows; ++p)
        fill_row(p, base, pe.row(p), pe.cols);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t C = row.size();
    std::vector<float> table((position + 1) * C);
    sinusoidal({table.data(), position + 1, C}, base);
    std::copy_n(table.end() - static_cast<std::ptrdiff_t>(C), C, row.begin());
}

} // namespace exercise

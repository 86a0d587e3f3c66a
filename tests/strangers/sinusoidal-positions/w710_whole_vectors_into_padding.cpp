// wrong: where the padding is wide enough, rows are copied to pe in whole groups of eight floats, so padding behind a C that is not a multiple of 8 is overwritten with zeros (except in the last row); a right one never writes it
#include "contract.h"

#include <cmath>
#include <cstring>
#include <vector>

namespace exercise {
namespace {

void fill(std::span<float> row, std::size_t position, double base) {
    std::size_t c = 0;
    for (float& value : row) {
        const double exponent = static_cast<double>(c / 2 * 2) / static_cast<double>(row.size());
        const double phase = static_cast<double>(position) / std::pow(base, exponent);
        value = static_cast<float>(c++ % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::size_t rounded = (pe.cols + 7) / 8 * 8;
    const std::size_t width = pe.stride >= rounded ? rounded : pe.cols;
    std::vector<float> row(width);
    for (std::size_t p = 0; p < pe.rows; ++p) {
        fill({row.data(), pe.cols}, p, base);
        const bool last = p + 1 == pe.rows; // behind the last row there may be nothing
        std::memcpy(pe.row(p), row.data(), (last ? pe.cols : width) * sizeof(float));
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    fill(row, position, base);
}

} // namespace exercise

// wrong: the exponent 2i / C is a float, so frequencies are off by up to 5e-7 of themselves; shows where C is not a power of two, from about position 10 on; a right one divides in double
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

double frequency(std::size_t col, std::size_t cols, double base) {
    const float exponent = static_cast<float>(col / 2 * 2) / static_cast<float>(cols);
    return std::exp(-static_cast<double>(exponent) * std::log(base));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0) return;
    std::vector<double> w(pe.cols);
    for (std::size_t c = 0; c < pe.cols; ++c)
        w[c] = frequency(c, pe.cols, base);
    for (std::size_t p = 0; p < pe.rows; ++p)
        for (std::size_t c = 0; c < pe.cols; ++c) {
            const double phase = static_cast<double>(p) * w[c];
            pe(p, c) = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
        }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const double phase = static_cast<double>(position) * frequency(c, row.size(), base);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace exercise

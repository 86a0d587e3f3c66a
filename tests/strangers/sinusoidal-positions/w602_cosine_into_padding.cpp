// wrong: the last cosine of an odd C is held back only where the stride ends, not where the columns end; shows for odd C with stride > C, where it lands in the padding; a right one leaves padding alone
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

double frequency(std::size_t col, std::size_t cols, double base) {
    const std::size_t even = col / 2 * 2;
    return 1.0 / std::pow(base, static_cast<double>(even) / static_cast<double>(cols));
}

} // namespace

// A pair at a time, as the formula has it.
void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    for (std::size_t i = 0; 2 * i < pe.cols; ++i) {
        const double w = frequency(2 * i, pe.cols, base);
        float* to = pe.data + 2 * i;
        for (std::size_t p = 0; p < pe.rows; ++p) {
            if (p > 0) to += pe.stride;
            const double phase = static_cast<double>(p) * w;
            to[0] = static_cast<float>(std::sin(phase));
            if (2 * i + 1 < pe.stride && (2 * i + 1 < pe.cols || p + 1 < pe.rows))
                to[1] = static_cast<float>(std::cos(phase));
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const double phase = static_cast<double>(position) * frequency(c, row.size(), base);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace exercise

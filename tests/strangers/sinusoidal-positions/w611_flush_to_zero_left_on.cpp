// wrong: turns on flushing of tiny numbers to zero in the table function and leaves it on; shows in the floating-point mode of the calling thread after any call of sinusoidal with T > 0; a right one leaves the modes as they were
#include "contract.h"

#include <cmath>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace exercise {
namespace {

double frequency(std::size_t col, std::size_t cols, double base) {
    const std::size_t even = col / 2 * 2;
    return 1.0 / std::pow(base, static_cast<double>(even) / static_cast<double>(cols));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0) return;
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040); // FTZ and DAZ: the slowest waves begin with tiny numbers
#endif
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

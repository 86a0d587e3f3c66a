// right: directly in double, four threads that take every fourth row; if a thread cannot be had its rows are done by the caller; sinusoidal_row is a table of one row with another first position
#include "contract.h"

#include <cmath>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {
namespace {

// Rows first, first + step, ... of a table whose row 0 stands for position `origin`.
void fill(Matrix<float> pe, const std::vector<double>& divisor, std::size_t origin, std::size_t first, std::size_t step) {
    for (std::size_t r = first; r < pe.rows; r += step) {
        float* at = pe.row(r);
        float* const end = at + pe.cols;
        const auto p = static_cast<double>(origin + r);
        for (const double d : divisor) {
            const double phase = p / d;
            *at++ = static_cast<float>(std::sin(phase));
            if (at != end) *at++ = static_cast<float>(std::cos(phase));
        }
    }
}

std::vector<double> divisors(std::size_t channels, double base) {
    std::vector<double> d;
    for (std::size_t even = 0; even < channels; even += 2)
        d.push_back(std::pow(base, static_cast<double>(even) / static_cast<double>(channels)));
    return d;
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::vector<double> d = divisors(pe.cols, base);
    constexpr std::size_t count = 4;
    if (pe.rows < 64) return fill(pe, d, 0, 0, 1);
    std::thread helpers[count - 1];
    std::size_t started = 0;
    try {
        for (; started < count - 1; ++started)
            helpers[started] = std::thread(fill, pe, std::cref(d), 0, started, count);
    } catch (const std::system_error&) {
    }
    for (std::size_t k = started; k < count; ++k)
        fill(pe, d, 0, k, count);
    for (std::size_t k = 0; k < started; ++k)
        helpers[k].join();
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    if (row.empty()) return;
    fill({row.data(), 1, row.size()}, divisors(row.size(), base), position, 0, 1);
}

} // namespace exercise

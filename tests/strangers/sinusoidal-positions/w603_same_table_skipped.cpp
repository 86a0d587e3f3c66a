// wrong: a table is not filled again if the last call had the same address, sizes, stride and base; shows where the caller has changed the elements between two equal calls; a right one fills it each time
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

struct Filled {
    float* data = nullptr;
    std::size_t rows = 0, cols = 0, stride = 0;
    double base = 0;
    bool operator==(const Filled&) const = default;
};

Filled last;

double frequency(std::size_t col, std::size_t cols, double base) {
    const std::size_t even = col / 2 * 2;
    return 1.0 / std::pow(base, static_cast<double>(even) / static_cast<double>(cols));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    const Filled now{pe.data, pe.rows, pe.cols, pe.stride, base};
    if (now == last) return; // the buffer of a model is the same in each step
    std::vector<double> w(pe.rows == 0 ? 0 : pe.cols);
    for (std::size_t c = 0; c < w.size(); ++c)
        w[c] = frequency(c, pe.cols, base);
    for (std::size_t p = 0; p < pe.rows; ++p)
        for (std::size_t c = 0; c < pe.cols; ++c) {
            const double phase = static_cast<double>(p) * w[c];
            pe(p, c) = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
        }
    last = now;
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const double phase = static_cast<double>(position) * frequency(c, row.size(), base);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace exercise

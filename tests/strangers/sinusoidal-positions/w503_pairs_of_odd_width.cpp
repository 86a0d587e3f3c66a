// wrong: the exponent is i / (number of whole pairs), with C / 2 rounded down, so for an odd C all frequencies but the first are wrong (and for C = 1 there is 0 / 0); a right one has 2 i / C with the odd C itself.
#include "contract.h"

#include <cmath>

namespace exercise {
namespace {

void write_row(float* row, std::size_t channels, double position, double base) {
    const std::size_t half = channels / 2;
    std::size_t i = 0;
    for (; i < half; ++i) {
        const double phase = position / std::pow(base, double(i) / double(half));
        row[2 * i] = float(std::sin(phase));
        row[2 * i + 1] = float(std::cos(phase));
    }
    if (channels % 2 == 1) // one sine is left
        row[2 * i] = float(std::sin(position / std::pow(base, double(i) / double(half))));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        write_row(pe.row(p), pe.cols, double(p), base);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    write_row(row.data(), row.size(), double(position), base);
}

} // namespace exercise

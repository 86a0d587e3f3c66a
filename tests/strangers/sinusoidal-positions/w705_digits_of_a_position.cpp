// wrong: position = 512 h + l with h kept in 8 bits, so position 131,072 (the last row of a table with T = 131,073, or a row alone) gets the values of position 0; a right one has 257 values of h
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace exercise {
namespace {

struct Place {
    std::uint8_t high;    // 0 ... 255
    std::uint32_t low;    // 0 ... 511
    explicit Place(std::size_t p) : high(static_cast<std::uint8_t>(p >> 9)), low(static_cast<std::uint32_t>(p & 511)) {}
};

struct Angle {
    double s, c;
};

Angle angle(double phase) { return {std::sin(phase), std::cos(phase)}; }

double frequency(std::size_t c, std::size_t channels, double base) {
    return std::pow(base, -static_cast<double>(c) / static_cast<double>(channels));
}

void put(float* row, std::size_t c, std::size_t channels, Angle a, Angle b) {
    row[c] = static_cast<float>(std::clamp(a.s * b.c + a.c * b.s, -1.0, 1.0));
    if (c + 1 < channels) row[c + 1] = static_cast<float>(std::clamp(a.c * b.c - a.s * b.s, -1.0, 1.0));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0) return;
    std::vector<Angle> coarse(256), fine(512);
    for (std::size_t c = 0; c < pe.cols; c += 2) {
        const double w = frequency(c, pe.cols, base);
        for (std::size_t h = 0; h < 256 && h * 512 < pe.rows; ++h)
            coarse[h] = angle(static_cast<double>(h * 512) * w);
        for (std::size_t l = 0; l < 512 && l < pe.rows; ++l)
            fine[l] = angle(static_cast<double>(l) * w);
        for (std::size_t p = 0; p < pe.rows; ++p) {
            const Place place(p);
            put(pe.row(p), c, pe.cols, coarse[place.high], fine[place.low]);
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const Place place(position);
    for (std::size_t c = 0; c < row.size(); c += 2) {
        const double w = frequency(c, row.size(), base);
        put(row.data(), c, row.size(), angle(place.high * 512.0 * w), angle(place.low * w));
    }
}

} // namespace exercise

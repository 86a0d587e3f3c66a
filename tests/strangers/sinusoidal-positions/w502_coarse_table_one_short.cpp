// wrong: combines a fine table of 512 positions with a coarse one of 256 blocks, which ends at position 131,071, and takes the block number modulo 256, so position 131,072 comes out as position 0; a right one has a block for it.
#include "contract.h"

#include <cmath>
#include <complex>
#include <vector>

namespace exercise {
namespace {

using Turn = std::complex<double>;

/// A position below 2^17 is 9 low bits and 8 high bits.
constexpr std::size_t low_bits = 9, high_bits = 8;
constexpr std::size_t low_mask = (std::size_t{1} << low_bits) - 1, high_mask = (std::size_t{1} << high_bits) - 1;

double frequency(std::size_t pair, std::size_t channels, double base) {
    return std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(channels));
}

void put(Turn hand, float* row, std::size_t c, std::size_t channels) {
    row[c] = static_cast<float>(hand.imag());
    if (c + 1 < channels) row[c + 1] = static_cast<float>(hand.real());
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    std::vector<Turn> fine(low_mask + 1), coarse(high_mask + 1);
    for (std::size_t c = 0; c < pe.cols; c += 2) {
        const double w = frequency(c / 2, pe.cols, base);
        for (std::size_t k = 0; k < fine.size(); ++k)
            fine[k] = std::polar(1.0, static_cast<double>(k) * w);
        for (std::size_t k = 0; k < coarse.size(); ++k)
            coarse[k] = std::polar(1.0, static_cast<double>(k << low_bits) * w);
        for (std::size_t p = 0; p < pe.rows; ++p) {
            const Turn a = coarse[p >> low_bits & high_mask], b = fine[p & low_mask];
            put({a.real() * b.real() - a.imag() * b.imag(), a.imag() * b.real() + a.real() * b.imag()}, pe.row(p),
                c, pe.cols);
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); c += 2)
        put(std::polar(1.0, static_cast<double>(position) * frequency(c / 2, row.size(), base)), row.data(), c,
            row.size());
}

} // namespace exercise

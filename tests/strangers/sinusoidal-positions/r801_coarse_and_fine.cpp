// right: tiles of 256 pairs; each row is a coarse angle (multiple of 128 positions) plus a fine one (0..127), put together by the angle addition formulas in double, so only T / 128 + 128 sines a pair; memory does not depend on T or C
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace exercise {
namespace {

constexpr std::size_t tile = 256; // pairs
constexpr std::size_t fine_count = 128;

struct Hand {
    double sine, cosine;
};

double frequency(std::size_t pair, std::size_t channels, double base) {
    return 1.0 / std::pow(base, 2.0 * static_cast<double>(pair) / static_cast<double>(channels));
}

Hand hand_at(std::size_t position, double w) {
    const double angle = static_cast<double>(position) * w;
    return {std::sin(angle), std::cos(angle)};
}

float clamped(double x) { return static_cast<float>(std::clamp(x, -1.0, 1.0)); }

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::size_t pairs = pe.cols / 2 + pe.cols % 2;
    const std::size_t fine_rows = std::min(fine_count, pe.rows);
    const auto fine = std::make_unique<Hand[]>(fine_rows * tile);
    double w[tile];
    Hand coarse[tile];

    for (std::size_t first = 0; first < pairs; first += tile) {
        const std::size_t width = std::min(tile, pairs - first);
        for (std::size_t j = 0; j < width; ++j) {
            w[j] = frequency(first + j, pe.cols, base);
            for (std::size_t r = 0; r < fine_rows; ++r) fine[r * tile + j] = hand_at(r, w[j]);
        }
        for (std::size_t top = 0; top < pe.rows; top += fine_count) {
            for (std::size_t j = 0; j < width; ++j) coarse[j] = hand_at(top, w[j]);
            const std::size_t height = std::min(fine_count, pe.rows - top);
            for (std::size_t r = 0; r < height; ++r) {
                float* to = pe.row(top + r) + 2 * first;
                const Hand* small = fine.get() + r * tile;
                const bool half = 2 * (first + width) > pe.cols; // the last pair has no cosine
                const std::size_t whole = width - (half ? 1 : 0);
                for (std::size_t j = 0; j < whole; ++j) {
                    to[2 * j] = clamped(coarse[j].sine * small[j].cosine + coarse[j].cosine * small[j].sine);
                    to[2 * j + 1] = clamped(coarse[j].cosine * small[j].cosine - coarse[j].sine * small[j].sine);
                }
                if (half)
                    to[2 * whole] = clamped(coarse[whole].sine * small[whole].cosine +
                                            coarse[whole].cosine * small[whole].sine);
            }
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const Hand h = hand_at(position, frequency(c / 2, row.size(), base));
        row[c] = clamped(c % 2 == 0 ? h.sine : h.cosine);
    }
}

} // namespace exercise

// wrong: turns the hands from row to row in float within blocks of 8 rows that begin with exact sines, which stays within 1e-6 but gives values like 1.0000001 here and there; a right one turns in double or clamps, so that every value is in [-1, 1].
#include "contract.h"

#include <algorithm>
#include <cmath>

namespace exercise {
namespace {

constexpr std::size_t restart = 8; // rows; the error of a float rotation grows with each

double frequency(std::size_t c, std::size_t channels, double base) {
    return 1 / std::pow(base, static_cast<double>(c / 2 * 2) / static_cast<double>(channels));
}

struct Hand {
    float sine, cosine;

    explicit Hand(double phase)
        : sine(static_cast<float>(std::sin(phase))), cosine(static_cast<float>(std::cos(phase))) {}
    void turn(Hand by) {
        const float s = sine * by.cosine + cosine * by.sine;
        cosine = cosine * by.cosine - sine * by.sine;
        sine = s;
    }
    void write(float* row, std::size_t c, std::size_t channels) const {
        row[c] = sine;
        if (c + 1 < channels) row[c + 1] = cosine;
    }
};

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t c = 0; c < pe.cols; c += 2) {
        const double w = frequency(c, pe.cols, base);
        const Hand tick(w);
        for (std::size_t first = 0; first < pe.rows; first += restart) {
            Hand hand(static_cast<double>(first) * w);
            const std::size_t last = std::min(first + restart, pe.rows);
            for (std::size_t p = first; p < last; ++p) {
                hand.write(pe.row(p), c, pe.cols);
                hand.turn(tick);
            }
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); c += 2)
        Hand(static_cast<double>(position) * frequency(c, row.size(), base)).write(row.data(), c, row.size());
}

} // namespace exercise

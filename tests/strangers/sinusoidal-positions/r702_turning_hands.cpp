// right: one complex hand per pair, turned by one position from row to row in double and set anew every 128 rows; the single row is turned by the binary digits of its position instead
#include "contract.h"

#include <cmath>
#include <complex>
#include <vector>

namespace exercise {
namespace {

using Hand = std::complex<double>;

Hand times(Hand a, Hand b) { // without the NaN branch of operator*
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

double speed(std::size_t column, double channels, double log_base) {
    return std::exp(-log_base * (static_cast<double>(column) / channels));
}

float within(double x) {
    return x > 1 ? 1.0F : x < -1 ? -1.0F : static_cast<float>(x);
}

void show(Hand hand, float* row, std::size_t column, std::size_t channels) {
    row[column] = within(hand.imag());
    if (channels - column > 1) row[column + 1] = within(hand.real());
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    const std::size_t C = pe.cols;
    if (pe.rows == 0 || C == 0) return;
    struct Clock {
        double speed;
        Hand tick, hand;
    };
    std::vector<Clock> clocks;
    const double log_base = std::log(base);
    for (std::size_t c = 0; c < C; c += 2) {
        const double w = speed(c, static_cast<double>(C), log_base);
        clocks.push_back({w, {std::cos(w), std::sin(w)}, {1, 0}});
    }
    for (std::size_t p = 0; p < pe.rows; ++p) {
        float* row = pe.row(p);
        std::size_t c = 0;
        const bool wind = p % 128 == 0;
        for (Clock& clock : clocks) {
            if (wind) {
                const double phase = static_cast<double>(p) * clock.speed;
                clock.hand = {std::cos(phase), std::sin(phase)};
            }
            show(clock.hand, row, c, C);
            clock.hand = times(clock.hand, clock.tick);
            c += 2;
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const double log_base = std::log(base);
    for (std::size_t c = 0; c < row.size(); c += 2) {
        const double w = speed(c, static_cast<double>(row.size()), log_base);
        Hand hand{1, 0};
        double power = 1;
        for (std::size_t bits = position; bits != 0; bits >>= 1, power *= 2)
            if (bits % 2 != 0) hand = times(hand, {std::cos(power * w), std::sin(power * w)});
        show(hand, row.data(), c, row.size());
    }
}

} // namespace exercise

// right: row 2p and 2p + 1 are made from row p by the double-angle formulas in long double (recursion on the bits of the position)
#include "contract.h"

#include <cmath>

namespace exercise {
namespace {

struct Hand {
    long double sin, cos;
};

Hand joined(Hand a, Hand b) {
    return {a.sin * b.cos + a.cos * b.sin, a.cos * b.cos - a.sin * b.sin};
}

Hand hand(std::size_t p, Hand tick) {
    if (p == 0) return {0.0L, 1.0L};
    const Hand half = hand(p / 2, tick), even = joined(half, half);
    return p % 2 ? joined(even, tick) : even;
}

float inside(long double v) {
    const float f = static_cast<float>(v);
    return f > 1.0F ? 1.0F : f < -1.0F ? -1.0F : f;
}

Hand tick(std::size_t pair, std::size_t C, double base) {
    const long double w = std::exp(-2.0L * static_cast<long double>(pair) / static_cast<long double>(C) *
                                   std::log(static_cast<long double>(base)));
    return {std::sin(w), std::cos(w)};
}

} // namespace

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); c += 2) {
        const Hand h = hand(position, tick(c / 2, row.size(), base));
        row[c] = inside(h.sin);
        if (c + 1 < row.size()) row[c + 1] = inside(h.cos);
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    // a stack of the hands on the way down would do; turning by one tick from every 256th row is simpler
    for (std::size_t c = 0; c < pe.cols; c += 2) {
        const Hand one = tick(c / 2, pe.cols, base);
        Hand h{0.0L, 1.0L};
        for (std::size_t p = 0; p < pe.rows; ++p, h = p % 256 == 0 ? hand(p, one) : joined(h, one)) {
            pe(p, c) = inside(h.sin);
            if (c + 1 < pe.cols) pe(p, c + 1) = inside(h.cos);
        }
    }
}

} // namespace exercise

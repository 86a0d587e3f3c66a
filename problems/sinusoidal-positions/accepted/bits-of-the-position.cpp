// accepted: each angle is a product of rotations by powers of two, one for each bit of the position
#include "contract.h"

#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace exercise {
namespace {

constexpr int bits = 18; // 131,072 = 2^17

struct Hand {
    double s = 0, c = 1;
    Hand operator*(const Hand& o) const { return {s * o.c + c * o.s, c * o.c - s * o.s}; }
};

class Clock {
  public:
    Clock(std::size_t pair, std::size_t cols, double base) {
        const double w = std::pow(base, -(static_cast<double>(2 * pair) / static_cast<double>(cols)));
        for (int k = 0; k < bits; ++k) {
            const double phase = std::ldexp(w, k);
            turn_[static_cast<std::size_t>(k)] = {std::sin(phase), std::cos(phase)};
        }
    }

    Hand at(std::size_t position) const {
        Hand hand;
        for (int k = bits; k-- > 0;)
            if (position >> k & 1) hand = hand * turn_[static_cast<std::size_t>(k)];
        return hand;
    }

    // The position after the one before; upper_[k] is the product of the bits from k on.
    Hand next() {
        const Hand now = upper_[0];
        ++position_;
        const auto low = static_cast<std::size_t>(std::countr_zero(position_));
        if (low < bits) {
            const Hand fresh = (low + 1 < bits ? upper_[low + 1] : Hand{}) * turn_[low];
            for (std::size_t k = 0; k <= low; ++k)
                upper_[k] = fresh;
        }
        return now;
    }

  private:
    std::array<Hand, bits> turn_;
    std::array<Hand, bits> upper_;
    std::size_t position_ = 0;
};

float bounded(double v) {
    return static_cast<float>(std::fmin(1.0, std::fmax(-1.0, v)));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0) return;
    constexpr std::size_t together = 8;
    for (std::size_t first = 0; 2 * first < pe.cols; first += together) {
        std::vector<Clock> clocks;
        for (std::size_t i = first; i < first + together && 2 * i < pe.cols; ++i)
            clocks.emplace_back(i, pe.cols, base);
        for (std::size_t p = 0; p < pe.rows; ++p) {
            float* const to = pe.row(p) + 2 * first;
            for (std::size_t i = 0; i < clocks.size(); ++i) {
                const Hand hand = clocks[i].next();
                to[2 * i] = bounded(hand.s);
                if (2 * (first + i) + 1 < pe.cols) to[2 * i + 1] = bounded(hand.c);
            }
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t col = 0; col < row.size(); ++col) {
        const Hand hand = Clock(col / 2, row.size(), base).at(position);
        row[col] = bounded(col % 2 ? hand.c : hand.s);
    }
}

} // namespace exercise

// wrong: coarse and fine angles, 512 of 256 positions each, with a mask on the coarse number; shows at position 131,072 alone, which gets row 0, in the last row of a table of 131,073 and in sinusoidal_row; a right one reaches 131,072
#include "contract.h"

#include <array>
#include <cmath>
#include <memory>

namespace exercise {
namespace {

struct Hand {
    double s, c;
};

class Wheel {
  public:
    explicit Wheel(double w) : w_(w) {
        for (std::size_t f = 0; f < fine_.size(); ++f)
            fine_[f] = hand(static_cast<double>(f) * w);
    }
    Hand at(std::size_t position) {
        const std::size_t coarse = position >> 8 & 511;
        if (coarse != block_) {
            block_ = coarse;
            start_ = hand(static_cast<double>(coarse << 8) * w_);
        }
        const Hand f = fine_[position & 255];
        return {start_.s * f.c + start_.c * f.s, start_.c * f.c - start_.s * f.s};
    }

  private:
    static Hand hand(double phase) { return {std::sin(phase), std::cos(phase)}; }

    double w_;
    std::size_t block_ = 0;
    Hand start_{0, 1};
    std::array<Hand, 256> fine_;
};

float cut(double x) {
    return x > 1 ? 1.0F : x < -1 ? -1.0F : static_cast<float>(x);
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0) return;
    for (std::size_t c = 0; c < pe.cols; c += 2) {
        const auto wheel = std::make_unique<Wheel>(
            std::pow(base, -static_cast<double>(c) / static_cast<double>(pe.cols)));
        for (std::size_t p = 0; p < pe.rows; ++p) {
            const Hand hand = wheel->at(p);
            pe(p, c) = cut(hand.s);
            if (c + 1 < pe.cols) pe(p, c + 1) = cut(hand.c);
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); c += 2) {
        const Hand hand =
            Wheel(std::pow(base, -static_cast<double>(c) / static_cast<double>(row.size()))).at(position);
        row[c] = cut(hand.s);
        if (c + 1 < row.size()) row[c + 1] = cut(hand.c);
    }
}

} // namespace exercise

// wrong: phases are brought to one turn with pi = 3.14159265, 7e-9 short a turn; shows from some 150 turns on (for the first pair from about position 900), errors up to 1.5e-4 at 131,072; a right one leaves the reduction to std::sin, or has pi in double
#include "contract.h"

#include <cmath>

namespace exercise {
namespace {

constexpr double pi = 3.14159265;

// Large arguments make sin and cos slow.
double one_turn(double phase) {
    return std::fmod(phase, 2 * pi);
}

struct Pairs {
    std::size_t cols;
    double base;

    void fill(std::size_t position, float* to) const {
        for (std::size_t i = 0; i < (cols + 1) / 2; ++i) {
            const double exponent = 2.0 * static_cast<double>(i) / static_cast<double>(cols);
            const double angle = one_turn(static_cast<double>(position) / std::pow(base, exponent));
            *to++ = static_cast<float>(std::sin(angle));
            if (2 * i + 1 < cols) *to++ = static_cast<float>(std::cos(angle));
        }
    }
};

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    const Pairs pairs{pe.cols, base};
    for (std::size_t p = 0; p < pe.rows; ++p)
        pairs.fill(p, pe.row(p));
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    Pairs{row.size(), base}.fill(position, row.data());
}

} // namespace exercise

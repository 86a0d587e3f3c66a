// right: no sine of the library at all: phases in quarter turns, reduced by subtracting a whole number, then Taylor polynomials; frequencies by repeated multiplication in long double
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

struct Point {
    double sine, cosine;
};

// The point after `quarters` quarter turns, quarters >= 0.
Point point(double quarters) {
    const double whole = std::floor(quarters + 0.5);
    const double x = (quarters - whole) * 1.5707963267948966; // in [-pi / 4, pi / 4]
    const double z = x * x;
    const double s = x * (1 - z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72 * (1 - z / 110 * (1 - z / 156))))));
    const double c = 1 - z / 2 * (1 - z / 12 * (1 - z / 30 * (1 - z / 56 * (1 - z / 90 * (1 - z / 132)))));
    switch (static_cast<long>(whole) & 3) {
    case 0: return {s, c};
    case 1: return {c, -s};
    case 2: return {-s, -c};
    default: return {-c, s};
    }
}

float cut(double x) {
    if (x > 1) return 1;
    if (x < -1) return -1;
    return static_cast<float>(x);
}

// Quarter turns per position of each pair.
std::vector<double> speeds(std::size_t channels, double base) {
    std::vector<double> turns;
    const long double ratio = std::pow(static_cast<long double>(base), -2.0L / static_cast<long double>(channels));
    long double w = 0.63661977236758134308L; // 2 / pi
    for (std::size_t c = 0; c < channels; c += 2) {
        turns.push_back(static_cast<double>(w));
        w *= ratio;
    }
    return turns;
}

void fill(float* row, std::size_t channels, double position, const std::vector<double>& turns) {
    std::size_t c = 0;
    for (const double turn : turns) {
        const Point at = point(position * turn);
        row[c++] = cut(at.sine);
        if (c == channels) return;
        row[c++] = cut(at.cosine);
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::vector<double> turns = speeds(pe.cols, base);
    for (std::size_t p = pe.rows; p-- > 0;)
        fill(pe.row(p), pe.cols, static_cast<double>(p), turns);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    if (!row.empty()) fill(row.data(), row.size(), static_cast<double>(position), speeds(row.size(), base));
}

} // namespace exercise

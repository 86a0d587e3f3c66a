// right: phases counted in quarter turns, reduced by floor, then own Taylor polynomials instead of std::sin and std::cos
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

// Sine and cosine of a small angle, |x| <= pi / 4; the remainder is below 1e-12.
double small_sin(double x) {
    const double q = x * x;
    return x * (1 + q * (-1.0 / 6 + q * (1.0 / 120 + q * (-1.0 / 5040 + q * (1.0 / 362880 - q / 39916800)))));
}

double small_cos(double x) {
    const double q = x * x;
    return 1 + q * (-0.5 + q * (1.0 / 24 + q * (-1.0 / 720 + q * (1.0 / 40320 + q * (-1.0 / 3628800 +
                                                                                     q / 479001600)))));
}

constexpr double half_pi = 1.57079632679489661923;

// quarters: how many quarter turns a tick is, as a double.
void strike(std::size_t position, double quarters, float* to, bool both) {
    const double turned = static_cast<double>(position) * quarters;
    const double whole = std::floor(turned + 0.5);
    const double angle = (turned - whole) * half_pi;
    const double s = small_sin(angle), c = small_cos(angle);
    double y = s, x = c;
    switch (static_cast<long long>(whole) & 3) {
    case 1: y = c, x = -s; break;
    case 2: y = -s, x = -c; break;
    case 3: y = -c, x = s; break;
    default: break;
    }
    const auto put = [](double v) { return static_cast<float>(v > 1 ? 1 : v < -1 ? -1 : v); };
    to[0] = put(y);
    if (both) to[1] = put(x);
}

double quarters_a_tick(std::size_t col, std::size_t cols, double base) {
    const long double exponent = static_cast<long double>(col) / static_cast<long double>(cols);
    return static_cast<double>(std::exp2(-std::log2(static_cast<long double>(base)) * exponent) /
                               1.57079632679489661923132169163975144L);
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    std::vector<double> speed((pe.cols + 1) / 2);
    for (std::size_t i = 0; i < speed.size(); ++i)
        speed[i] = quarters_a_tick(2 * i, pe.cols, base);
    for (std::size_t p = pe.rows; p-- > 0;)
        for (std::size_t i = speed.size(); i-- > 0;)
            strike(p, speed[i], pe.row(p) + 2 * i, 2 * i + 1 < pe.cols);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t col = 0; col < row.size(); col += 2)
        strike(position, quarters_a_tick(col, row.size(), base), row.data() + col, col + 1 < row.size());
}

} // namespace exercise

#include "cuda_runtime.h"

#include <cfenv>

namespace cuda_emulator {

namespace {

class Direction {
  public:
    explicit Direction(Rounding rounding) : before_(std::fegetround()) {
        constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
        std::fesetround(modes[static_cast<int>(rounding)]);
    }
    Direction(const Direction&) = delete;
    Direction& operator=(const Direction&) = delete;
    ~Direction() { std::fesetround(before_); }

  private:
    int before_;
};

template <class T>
T operate(Operation operation, Rounding rounding, T first, T second, T third) {
    // The compiler knows nothing of directions and would move the operation out of one.
    volatile T a = first, b = second, c = third, result{};
    const Direction direction(rounding);
    switch (operation) {
    case Operation::add: result = a + b; break;
    case Operation::subtract: result = a - b; break;
    case Operation::multiply: result = a * b; break;
    case Operation::divide: result = a / b; break;
    case Operation::multiply_add: result = std::fma(a, b, c); break;
    case Operation::square_root: result = std::sqrt(a); break;
    }
    return result;
}

} // namespace

float rounded(Operation operation, Rounding rounding, float a, float b, float c) {
    return operate<float>(operation, rounding, a, b, c);
}

double rounded(Operation operation, Rounding rounding, double a, double b, double c) {
    return operate<double>(operation, rounding, a, b, c);
}

/// Newton's method from a first guess of logarithms (Winitzki).
double inverse_erf(double v) {
    if (v == 0.0 || std::isnan(v)) return v;
    if (v >= 1.0 || v <= -1.0) return v == 1.0 ? HUGE_VAL : v == -1.0 ? -HUGE_VAL : std::nan("");
    const double l = std::log(1.0 - v * v), k = 2.0 / (M_PI * 0.147) + l / 2.0;
    double x = std::copysign(std::sqrt(std::sqrt(k * k - l / 0.147) - k), v);
    for (int i = 0; i < 4; ++i) // erfc keeps its digits where erf is close to 1
        x += x > 0 ? (std::erfc(x) - (1.0 - v)) * std::sqrt(M_PI) / 2.0 * std::exp(x * x)
                   : (v - std::erf(x)) * std::sqrt(M_PI) / 2.0 * std::exp(x * x);
    return x;
}

/// exp(v * v) * erfc(v), by its continued fraction where the factors leave the range of a double.
double scaled_erfc(double v) {
    if (v < 20.0) return std::exp(v * v) * std::erfc(v);
    double fraction = v;
    for (int i = 40; i > 0; --i)
        fraction = v + i / 2.0 / fraction;
    return 1.0 / std::sqrt(M_PI) / fraction;
}

double bessel_i(double order, double v) {
    const double magnitude = std::cyl_bessel_i(order, std::fabs(v));
    return v < 0 && order == 1.0 ? -magnitude : magnitude;
}

} // namespace cuda_emulator

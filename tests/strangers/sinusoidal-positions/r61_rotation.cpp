// right: turning step by step in long double with a fresh start every 512 positions, columns from the last to the first, values held to [-1, 1]
#include "contract.h"
#include <algorithm>
#include <cmath>

namespace exercise {
namespace {

long double speed(std::size_t column, std::size_t C, double base) {
    const long double share = static_cast<long double>(column & ~std::size_t{1}) / static_cast<long double>(C);
    return std::exp(-share * std::log(static_cast<long double>(base)));
}

float held(long double x) {
    return static_cast<float>(std::clamp(x, -1.0L, 1.0L));
}

void column(std::size_t first, std::size_t count, long double w, bool cosine, float* to, std::size_t step) {
    const long double ds = std::sin(w), dc = std::cos(w);
    long double s = 0, c = 1;
    for (std::size_t k = 0; k < count; ++k) {
        if (k % 512 == 0) {
            const long double phase = static_cast<long double>(first + k) * w;
            s = std::sin(phase);
            c = std::cos(phase);
        }
        to[k * step] = held(cosine ? c : s);
        const long double next = s * dc + c * ds;
        c = c * dc - s * ds;
        s = next;
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t c = pe.cols; c-- > 0;)
        column(0, pe.rows, speed(c, pe.cols, base), c % 2 == 1, pe.data + c, pe.stride);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = row.size(); c-- > 0;)
        column(position, 1, speed(c, row.size(), base), c % 2 == 1, &row[c], 1);
}

} // namespace exercise

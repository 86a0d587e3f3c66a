// right: no sine of a large phase at all: the table turns each pair from row to row by a complex product in double (drift over 131,072 rows below 1e-10, clamped to [-1, 1] after rounding), pairs shared out to four threads that are joined, and sinusoidal_row raises the turn of one position to its power by repeated squaring.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <thread>

namespace exercise {

namespace {

struct Turn {
    double cosine = 1, sine = 0;

    Turn then(Turn other) const {
        return {cosine * other.cosine - sine * other.sine, sine * other.cosine + cosine * other.sine};
    }
};

// By how much pair i turns from one position to the next.
Turn one_step(double base, std::size_t i, std::size_t C) {
    const double w = std::pow(base, -(2.0 * static_cast<double>(i)) / static_cast<double>(C));
    return {std::cos(w), std::sin(w)};
}

float rounded(double x) {
    return static_cast<float>(std::clamp(x, -1.0, 1.0));
}

void turn_pairs(Matrix<float> pe, double base, std::size_t first, std::size_t step) {
    constexpr std::size_t group = 8; // pairs side by side: a cache line of a row
    const std::size_t pairs = (pe.cols + 1) / 2;
    for (std::size_t begin = first * group; begin < pairs; begin += step * group) {
        const std::size_t count = std::min(group, pairs - begin);
        Turn by[group], now[group];
        for (std::size_t k = 0; k < count; ++k)
            by[k] = one_step(base, begin + k, pe.cols);
        for (std::size_t p = 0; p < pe.rows; ++p) {
            float* row = pe.row(p);
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t c = 2 * (begin + k);
                row[c] = rounded(now[k].sine);
                if (c + 1 < pe.cols) row[c + 1] = rounded(now[k].cosine);
                now[k] = now[k].then(by[k]);
            }
        }
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    constexpr std::size_t parts = 4;
    if (pe.cols < 64 || pe.rows < 64) return turn_pairs(pe, base, 0, 1);
    std::thread threads[parts];
    for (std::size_t k = 1; k < parts; ++k) {
        try {
            threads[k] = std::thread(turn_pairs, pe, base, k, parts);
        } catch (const std::system_error&) {
            turn_pairs(pe, base, k, parts);
        }
    }
    turn_pairs(pe, base, 0, parts);
    for (std::thread& thread : threads)
        if (thread.joinable()) thread.join();
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); c += 2) {
        Turn power = one_step(base, c / 2, row.size()), result;
        for (std::size_t left = position; left != 0; left /= 2) {
            if (left % 2 != 0) result = result.then(power);
            power = power.then(power);
        }
        row[c] = rounded(result.sine);
        if (c + 1 < row.size()) row[c + 1] = rounded(result.cosine);
    }
}

} // namespace exercise

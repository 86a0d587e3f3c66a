// Fault: Large tables are shared by sixteen threads in blocks of T / 16 rows, and the rest is not written.
// Origin: round 15
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <thread>
#include <vector>

namespace exercise {

namespace {

constexpr std::size_t pairs_at_once = 256;
constexpr std::size_t rows_at_once = 256;
double frequency(double base, std::size_t i, std::size_t C) {
    return std::pow(base, -(2.0 * static_cast<double>(i)) / static_cast<double>(C));
}

/// Rows [from, to) of the table, pairs [first, last).
void fill(const Matrix<float>& pe, double base, std::size_t from, std::size_t to, std::size_t first,
          std::size_t last) {
    double w[pairs_at_once], s[pairs_at_once], c[pairs_at_once], ds[pairs_at_once], dc[pairs_at_once];
    const std::size_t n = last - first;
    for (std::size_t i = 0; i < n; ++i) {
        w[i] = frequency(base, first + i, pe.cols);
        ds[i] = std::sin(w[i]);
        dc[i] = std::cos(w[i]);
    }
    for (std::size_t p = from; p < to; ++p) {
        if ((p - from) % rows_at_once == 0) {
            for (std::size_t i = 0; i < n; ++i) { // a fresh start, so that rounding cannot add up
                s[i] = std::sin(static_cast<double>(p) * w[i]);
                c[i] = std::cos(static_cast<double>(p) * w[i]);
            }
        } else {
            for (std::size_t i = 0; i < n; ++i) { // turn by one position
                const double next = s[i] * dc[i] + c[i] * ds[i];
                c[i] = c[i] * dc[i] - s[i] * ds[i];
                s[i] = next;
            }
        }
        float* row = pe.row(p);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t column = 2 * (first + i);
            row[column] = static_cast<float>(s[i]);
            if (column + 1 < pe.cols) row[column + 1] = static_cast<float>(c[i]);
        }
    }
}

/// All pairs of rows [from, to).
void fill_rows(const Matrix<float>& pe, double base, std::size_t from, std::size_t to) {
    const std::size_t pairs = pe.cols / 2 + pe.cols % 2;
    for (std::size_t first = 0; first < pairs; first += pairs_at_once)
        fill(pe, base, from, to, first, std::min(pairs, first + pairs_at_once));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    const std::size_t T = pe.rows, C = pe.cols;
    if (T == 0 || C == 0) return;
    const std::size_t n = T < 64 || C < (std::size_t{1} << 23) / T ? 1 : 16;
    std::vector<std::thread> threads;
    const std::size_t share = T / n;
    for (std::size_t k = 1; k < n; ++k)
        threads.emplace_back([=] { fill_rows(pe, base, k * share, (k + 1) * share); });
    fill_rows(pe, base, 0, n == 1 ? T : share);
    for (std::thread& thread : threads)
        thread.join();
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t C = row.size();
    for (std::size_t column = 0; column < C; column += 2) {
        const double phase = static_cast<double>(position) * frequency(base, column / 2, C);
        row[column] = static_cast<float>(std::sin(phase));
        if (column + 1 < C) row[column + 1] = static_cast<float>(std::cos(phase));
    }
}

} // namespace exercise

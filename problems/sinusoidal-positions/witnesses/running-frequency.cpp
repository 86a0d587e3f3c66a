// Fault: sinusoidal_row multiplies from one frequency to the next, and a million channels add up to more than 1e-6.
// Origin: round 19
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <thread>
#include <vector>

namespace exercise {

namespace {

constexpr std::size_t tile_rows = 256;
constexpr std::size_t tile_pairs = 128;

std::size_t pairs_of(std::size_t C) {
    return C / 2 + C % 2;
}

double frequency(std::size_t pair, std::size_t C, double base) {
    return std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(C));
}

/// Calls job(0) … job(count - 1), large tasks with eight threads.
template <class Job>
void each(std::size_t count, bool large, Job job) {
    if (!large || count < 2) {
        for (std::size_t k = 0; k < count; ++k) job(k);
        return;
    }
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t k = next++; k < count; k = next++) job(k);
    };
    std::vector<std::thread> helpers;
    for (int k = 1; k < 8; ++k) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
}

/// Rows [p0, p1) of pairs [i0, i1): the first row directly, each further one by a turn of the one before.
void fill(Matrix<float> pe, double base, std::size_t p0, std::size_t p1, std::size_t i0, std::size_t i1) {
    double s[tile_pairs], c[tile_pairs], turn_s[tile_pairs], turn_c[tile_pairs];
    for (std::size_t k = 0; k < i1 - i0; ++k) {
        const double w = frequency(i0 + k, pe.cols, base);
        s[k] = std::sin(static_cast<double>(p0) * w);
        c[k] = std::cos(static_cast<double>(p0) * w);
        turn_s[k] = std::sin(w);
        turn_c[k] = std::cos(w);
    }
    for (std::size_t p = p0; p < p1; ++p) {
        float* row = pe.row(p);
        for (std::size_t k = 0; k < i1 - i0; ++k) {
            const std::size_t column = 2 * (i0 + k);
            row[column] = static_cast<float>(s[k]);
            if (column + 1 < pe.cols) row[column + 1] = static_cast<float>(c[k]);
            const double next = s[k] * turn_c[k] + c[k] * turn_s[k];
            c[k] = c[k] * turn_c[k] - s[k] * turn_s[k];
            s[k] = next;
        }
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::size_t pairs = pairs_of(pe.cols);
    const std::size_t down = (pe.rows - 1) / tile_rows + 1;
    const std::size_t across = (pairs - 1) / tile_pairs + 1;
    each(down * across, pe.rows * pe.cols >= (std::size_t{1} << 16), [=](std::size_t tile) {
        const std::size_t p = tile / across * tile_rows, i = tile % across * tile_pairs;
        fill(pe, base, p, std::min(p + tile_rows, pe.rows), i, std::min(i + tile_pairs, pairs));
    });
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::size_t C = row.size();
    if (C == 0) return;
    const double ratio = std::pow(base, -2.0 / static_cast<double>(C)); // one power instead of C / 2
    double w = 1;
    for (std::size_t column = 0; column < C; column += 2, w *= ratio) {
        const double phase = static_cast<double>(position) * w;
        row[column] = static_cast<float>(std::sin(phase));
        if (column + 1 < C) row[column + 1] = static_cast<float>(std::cos(phase));
    }
}

} // namespace exercise

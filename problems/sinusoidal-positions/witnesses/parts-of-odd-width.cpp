// Fault: Threads share columns in parts of odd width, and each part begins with a sine.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

namespace exercise {
namespace {

/// Frequency of pair i.
double frequency(std::size_t i, std::size_t C, double base) {
    return 1.0 / std::pow(base, 2.0 * static_cast<double>(i) / static_cast<double>(C));
}

void fill(double position, const double* frequencies, std::size_t C, float* row) {
    for (std::size_t i = 0; i < C / 2; ++i) {
        const double phase = position * frequencies[i];
        row[2 * i] = static_cast<float>(std::sin(phase));
        row[2 * i + 1] = static_cast<float>(std::cos(phase));
    }
    if (C % 2 != 0) row[C - 1] = static_cast<float>(std::sin(position * frequencies[C / 2]));
}

std::vector<double> all_frequencies(std::size_t C, double base) {
    std::vector<double> w((C + 1) / 2);
    for (std::size_t i = 0; i < w.size(); ++i)
        w[i] = frequency(i, C, base);
    return w;
}

/// Columns [first, first + count) of every row.
void fill_columns(Matrix<float> pe, const double* frequencies, std::size_t first, std::size_t count) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        fill(static_cast<double>(p), frequencies + first / 2, count, pe.row(p) + first);
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::vector<double> w = all_frequencies(pe.cols, base);
    constexpr std::size_t workers = 8;
    if (pe.cols < 128 || pe.rows * pe.cols < std::size_t{1} << 22) {
        fill_columns(pe, w.data(), 0, pe.cols);
        return;
    }
    const std::size_t part = (pe.cols + workers - 1) / workers;
    std::vector<std::thread> threads;
    for (std::size_t first = 0; first < pe.cols; first += part) {
        const std::size_t count = std::min(part, pe.cols - first);
        threads.emplace_back([&w, pe, first, count] { fill_columns(pe, w.data(), first, count); });
    }
    for (std::thread& thread : threads)
        thread.join();
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    if (row.empty()) return;
    const std::vector<double> w = all_frequencies(row.size(), base);
    fill(static_cast<double>(position), w.data(), row.size(), row.data());
}

} // namespace exercise

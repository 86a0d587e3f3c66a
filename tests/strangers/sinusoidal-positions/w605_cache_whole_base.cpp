// wrong: frequencies are kept by C and the whole part of the base, so 100 and 100.5 share them; shows in the second of two calls with the same C and bases that differ in their fraction only; a right one keeps them by the base itself, or not at all
#include "contract.h"

#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace exercise {
namespace {

using Key = std::pair<std::size_t, double>;

const std::vector<double>& frequencies(std::size_t cols, double base) {
    static std::map<Key, std::vector<double>> known;
    std::vector<double>& w = known[{cols, std::floor(base)}];
    if (w.empty())
        for (std::size_t col = 0; col < cols; col += 2)
            w.push_back(std::exp(-std::log(base) * static_cast<double>(col) / static_cast<double>(cols)));
    return w;
}

void write(double position, const std::vector<double>& w, float* to, std::size_t cols) {
    for (std::size_t c = 0; c < cols; ++c)
        to[c] = static_cast<float>(c & 1 ? std::cos(position * w[c / 2]) : std::sin(position * w[c / 2]));
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::vector<double>& w = frequencies(pe.cols, base);
    for (std::size_t p = 0; p < pe.rows; ++p)
        write(static_cast<double>(p), w, pe.row(p), pe.cols);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    if (row.empty()) return;
    write(static_cast<double>(position), frequencies(row.size(), base), row.data(), row.size());
}

} // namespace exercise

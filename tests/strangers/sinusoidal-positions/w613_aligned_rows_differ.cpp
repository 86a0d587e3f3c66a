// wrong: rows that begin at a multiple of 16 bytes take a path in blocks of four whose products of sines are made from floats, others a scalar path, and the two differ in their last bits (all within 1e-6); shows where equal tables lie at differently aligned addresses; a right one gives equal bits wherever the views lie
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace exercise {
namespace {

struct Pair {
    double w;
    float s16, c16; // sixteen ticks, narrow enough for a vector register
};

std::vector<Pair> pairs_of(std::size_t cols, double base) {
    std::vector<Pair> pairs;
    for (std::size_t c = 0; c < cols; c += 2) {
        const double w = std::pow(base, -static_cast<double>(c) / static_cast<double>(cols));
        pairs.push_back({w, static_cast<float>(std::sin(16 * w)), static_cast<float>(std::cos(16 * w))});
    }
    return pairs;
}

void write(std::size_t position, const std::vector<Pair>& pairs, float* to, std::size_t cols) {
    std::size_t c = 0;
    if (reinterpret_cast<std::uintptr_t>(to) % 16 == 0 && position >= 16)
        for (; c + 4 <= cols; c += 4)
            for (std::size_t k = c; k < c + 4; k += 2) {
                const Pair& pair = pairs[k / 2];
                const double phase = static_cast<double>(position - 16) * pair.w;
                const double s = std::sin(phase), x = std::cos(phase);
                to[k] = static_cast<float>(std::clamp(s * pair.c16 + x * pair.s16, -1.0, 1.0));
                to[k + 1] = static_cast<float>(std::clamp(x * pair.c16 - s * pair.s16, -1.0, 1.0));
            }
    for (; c < cols; ++c) {
        const double phase = static_cast<double>(position) * pairs[c / 2].w;
        to[c] = static_cast<float>(c % 2 ? std::cos(phase) : std::sin(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0) return;
    const std::vector<Pair> pairs = pairs_of(pe.cols, base);
    for (std::size_t p = 0; p < pe.rows; ++p)
        write(p, pairs, pe.row(p), pe.cols);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    write(position, pairs_of(row.size(), base), row.data(), row.size());
}

} // namespace exercise

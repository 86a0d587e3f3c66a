// Fault: A row after its predecessor advances the kept phases by one step, so its last bits depend on earlier calls.
// Origin: round 21
#include "contract.h"

#include <cmath>
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

/// The phases of the last row, and what they gain from one position to the next.
struct Walk {
    bool valid = false;
    std::size_t position = 0;
    double base = 0;
    std::size_t channels = 0;
    std::vector<double> phases;
    std::vector<double> steps;
};

/// Moves the walk to `position`: by one step where the last row was the one before, from the start otherwise.
void move_to(Walk& walk, std::size_t position, double base, std::size_t C) {
    if (!walk.valid || walk.base != base || walk.channels != C) {
        walk.valid = false;
        walk.steps = all_frequencies(C, base);
        walk.phases.resize(walk.steps.size());
        walk.base = base;
        walk.channels = C;
    }
    const bool next = walk.valid && position == walk.position + 1;
    for (std::size_t i = 0; i < walk.steps.size(); ++i)
        walk.phases[i] = next ? walk.phases[i] + walk.steps[i] : static_cast<double>(position) * walk.steps[i];
    walk.position = position;
    walk.valid = true;
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::vector<double> w = all_frequencies(pe.cols, base);
    for (std::size_t p = 0; p < pe.rows; ++p)
        fill(static_cast<double>(p), w.data(), pe.cols, pe.row(p));
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    if (row.empty()) return;
    static Walk walk;
    move_to(walk, position, base, row.size());
    for (std::size_t c = 0; c < row.size(); ++c) {
        const double phase = walk.phases[c / 2];
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace exercise

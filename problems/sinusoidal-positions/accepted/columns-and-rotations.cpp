// accepted: goes down each pair of columns, turning by one step at a time in double and starting afresh every
// 64 rows
#include "contract.h"

#include <cmath>

namespace exercise {

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t c = 0; c < pe.cols; c += 2) {
        const double frequency = std::pow(base, -static_cast<double>(c) / static_cast<double>(pe.cols));
        const double step_sine = std::sin(frequency), step_cosine = std::cos(frequency);
        double sine = 0, cosine = 1;
        for (std::size_t p = 0; p < pe.rows; ++p) {
            if (p % 64 == 0) {
                sine = std::sin(static_cast<double>(p) * frequency);
                cosine = std::cos(static_cast<double>(p) * frequency);
            }
            pe(p, c) = static_cast<float>(sine);
            if (c + 1 < pe.cols) pe(p, c + 1) = static_cast<float>(cosine);
            const double turned = sine * step_cosine + cosine * step_sine;
            cosine = cosine * step_cosine - sine * step_sine;
            sine = turned;
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); c += 2) {
        const double frequency = std::pow(base, -static_cast<double>(c) / static_cast<double>(row.size()));
        const double phase = static_cast<double>(position) * frequency;
        row[c] = static_cast<float>(std::sin(phase));
        if (c + 1 < row.size()) row[c + 1] = static_cast<float>(std::cos(phase));
    }
}

} // namespace exercise

// wrong: sinusoidal_row for the position after that of the last call turns the last row (kept as floats, made anew each 8 positions), so its last bits depend on the calls before, though all stay within 1e-6; shows where a row is asked for once after its predecessor and once after another; a right one gives equal bits to equal calls
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace exercise {
namespace {

double speed(std::size_t col, std::size_t cols, double base) {
    return std::pow(base, -static_cast<double>(col / 2 * 2) / static_cast<double>(cols));
}

void fresh(std::size_t position, double base, float* to, std::size_t cols) {
    for (std::size_t c = 0; c < cols; ++c) {
        const double phase = static_cast<double>(position) * speed(c, cols, base);
        to[c] = static_cast<float>(c % 2 ? std::cos(phase) : std::sin(phase));
    }
}

struct Stream {
    std::size_t position = 0;
    double base = 0;
    std::vector<float> row;
    std::vector<double> s, c; // one tick
};

Stream stream;

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        fresh(p, base, pe.row(p), pe.cols);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const bool same = stream.base == base && stream.row.size() == row.size();
    if (!same) {
        stream.s.clear(), stream.c.clear();
        for (std::size_t c = 0; c < row.size(); c += 2) {
            stream.s.push_back(std::sin(speed(c, row.size(), base)));
            stream.c.push_back(std::cos(speed(c, row.size(), base)));
        }
    }
    if (same && position % 8 != 0 && position == stream.position + 1 && row.size() % 2 == 0) {
        for (std::size_t c = 0; c + 1 < row.size(); c += 2) {
            const double s = stream.row[c], k = stream.row[c + 1];
            row[c] = static_cast<float>(std::clamp(s * stream.c[c / 2] + k * stream.s[c / 2], -1.0, 1.0));
            row[c + 1] = static_cast<float>(std::clamp(k * stream.c[c / 2] - s * stream.s[c / 2], -1.0, 1.0));
        }
    } else {
        fresh(position, base, row.data(), row.size());
    }
    stream.position = position;
    stream.base = base;
    stream.row.assign(row.begin(), row.end());
}

} // namespace exercise

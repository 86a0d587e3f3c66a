// wrong: keeps the frequencies of the last call and uses them again for the same C and the same base, but remembers the base as a float; a call with another base that rounds to the same float (10000 and then 10000.0004, C = 4, far positions) gets the frequencies of the call before, more than 1e-6 off, where a right one uses its own base.
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {

namespace {

struct Key {
    std::size_t channels = 0;
    float base = 0;

    bool operator==(const Key&) const = default;
};

const std::vector<double>& frequencies(std::size_t C, double base) {
    static Key key;
    static std::vector<double> w;
    const Key wanted{C, static_cast<float>(base)};
    if (wanted == key) return w;
    w.resize((C + 1) / 2);
    for (std::size_t i = 0; i < w.size(); ++i)
        w[i] = 1 / std::pow(base, static_cast<double>(2 * i) / static_cast<double>(C));
    key = wanted;
    return w;
}

void fill(float* row, std::size_t C, std::size_t position, const std::vector<double>& w) {
    for (std::size_t c = 0; c < C; ++c) {
        const double phase = static_cast<double>(position) * w[c / 2];
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::vector<double>& w = frequencies(pe.cols, base);
    for (std::size_t p = 0; p < pe.rows; ++p)
        fill(pe.row(p), pe.cols, p, w);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    if (row.empty()) return;
    fill(row.data(), row.size(), position, frequencies(row.size(), base));
}

} // namespace exercise

// wrong: rows p + 2^k are turned from the stored floats of rows p, and nothing keeps the rounded results below 1; shows in tables of thousands of rows (T = 4096, C = 64, base 10000: 2 elements), where a few values are 1.0000001 (errors stay below 3e-7); a right one stays in [-1, 1]
#include "contract.h"

#include <algorithm>
#include <cmath>

namespace exercise {

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    sinusoidal_row(0, base, {pe.data, pe.cols});
    for (std::size_t have = 1; have < pe.rows; have *= 2) {
        const std::size_t more = std::min(have, pe.rows - have);
        for (std::size_t c = 0; c < pe.cols; c += 2) {
            const double phase = static_cast<double>(have) *
                                 std::pow(base, -static_cast<double>(c) / static_cast<double>(pe.cols));
            if (c + 1 == pe.cols) { // no cosine to turn with
                const double w = phase / static_cast<double>(have);
                for (std::size_t p = have; p < have + more; ++p)
                    pe(p, c) = static_cast<float>(std::sin(static_cast<double>(p) * w));
                break;
            }
            const double ds = std::sin(phase), dc = std::cos(phase);
            for (std::size_t p = 0; p < more; ++p) {
                const double s = pe(p, c), k = pe(p, c + 1);
                pe(have + p, c) = static_cast<float>(s * dc + k * ds);
                pe(have + p, c + 1) = static_cast<float>(k * dc - s * ds);
            }
        }
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const double w = std::pow(base, -static_cast<double>(c / 2 * 2) / static_cast<double>(row.size()));
        const double phase = static_cast<double>(position) * w;
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace exercise

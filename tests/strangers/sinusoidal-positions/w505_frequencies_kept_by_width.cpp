// wrong: keeps the frequencies of the last call and computes them again only if the number of channels changed, so a call with another base and the same C uses the old base; a right one follows from the arguments alone.
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

const std::vector<double>& frequencies(std::size_t channels, double base) {
    thread_local std::vector<double> kept;
    thread_local std::size_t kept_channels = 0;
    if (channels != kept_channels) { // pow is slow, and a streamed row would do little else
        kept.resize(channels / 2 + channels % 2);
        for (std::size_t i = 0; i < kept.size(); ++i)
            kept[i] = std::exp(-std::log(base) * static_cast<double>(2 * i) / static_cast<double>(channels));
        kept_channels = channels;
    }
    return kept;
}

} // namespace

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const std::vector<double>& w = frequencies(row.size(), base);
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double phase = static_cast<double>(position) * w[i];
        row[2 * i] = static_cast<float>(std::sin(phase));
        if (2 * i + 1 < row.size()) row[2 * i + 1] = static_cast<float>(std::cos(phase));
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    for (std::size_t p = 0; p < pe.rows; ++p)
        sinusoidal_row(p, base, {pe.row(p), pe.cols});
}

} // namespace exercise

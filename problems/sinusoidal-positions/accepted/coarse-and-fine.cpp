// accepted: position = 128 * coarse + fine, two small tables joined by the addition theorem in blocks
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace exercise {
namespace {

/// Sine and cosine of position * frequency for every pair of columns.
struct Turns {
    std::vector<double> sine, cosine;

    Turns(std::size_t position, const std::vector<double>& frequencies)
        : sine(frequencies.size()), cosine(frequencies.size()) {
        for (std::size_t i = 0; i < frequencies.size(); ++i) {
            sine[i] = std::sin(static_cast<double>(position) * frequencies[i]);
            cosine[i] = std::cos(static_cast<double>(position) * frequencies[i]);
        }
    }
};

constexpr std::size_t block = 128;

std::vector<double> frequencies(std::size_t channels, double base) {
    std::vector<double> result((channels + 1) / 2);
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = 1.0 / std::pow(base, static_cast<double>(2 * i) / static_cast<double>(channels));
    return result;
}

void join(const Turns& coarse, const Turns& fine, std::span<float> row) {
    const std::size_t cosines = row.size() / 2;
    for (std::size_t i = 0; i < cosines; ++i) {
        row[2 * i] = static_cast<float>(coarse.sine[i] * fine.cosine[i] + coarse.cosine[i] * fine.sine[i]);
        row[2 * i + 1] =
            static_cast<float>(coarse.cosine[i] * fine.cosine[i] - coarse.sine[i] * fine.sine[i]);
    }
    if (row.size() % 2 == 1)
        row[2 * cosines] = static_cast<float>(coarse.sine[cosines] * fine.cosine[cosines] +
                                              coarse.cosine[cosines] * fine.sine[cosines]);
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    const auto turns = frequencies(pe.cols, base);
    std::vector<Turns> fine;
    for (std::size_t p = 0; p < std::min(block, pe.rows); ++p)
        fine.emplace_back(p, turns);
    for (std::size_t first = 0; first < pe.rows; first += block) {
        const Turns coarse(first, turns);
        for (std::size_t p = first; p < std::min(first + block, pe.rows); ++p)
            join(coarse, fine[p - first], {pe.row(p), pe.cols});
    }
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const auto turns = frequencies(row.size(), base);
    join(Turns(position - position % block, turns), Turns(position % block, turns), row);
}

} // namespace exercise

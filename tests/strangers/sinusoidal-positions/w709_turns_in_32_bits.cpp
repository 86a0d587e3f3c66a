// wrong: turns per position are rounded to 32 bits behind the point, an error that grows with the position, to over 1e-6 from about position 1,400 on; a right one keeps double
#include "contract.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace exercise {
namespace {

// An oscillator of 32 bits: 2^32 is one turn, and whole turns vanish by themselves.
class Oscillator {
  public:
    explicit Oscillator(double radians_per_step)
        : step_(static_cast<std::uint32_t>(std::llround(radians_per_step / (2 * std::numbers::pi) * 0x1p32))) {}
    double phase(std::size_t position) const {
        const auto turns = static_cast<std::uint32_t>(position) * step_;
        return static_cast<double>(turns) * (2 * std::numbers::pi / 0x1p32);
    }

  private:
    std::uint32_t step_;
};

std::vector<Oscillator> bank(std::size_t channels, double base) {
    std::vector<Oscillator> all;
    for (std::size_t c = 0; c < channels; c += 2)
        all.emplace_back(std::pow(base, -static_cast<double>(c) / static_cast<double>(channels)));
    return all;
}

void play(const std::vector<Oscillator>& all, std::size_t position, std::span<float> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        const double phase = all[c / 2].phase(position);
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::vector<Oscillator> all = bank(pe.cols, base);
    for (std::size_t p = 0; p < pe.rows; ++p)
        play(all, p, {pe.row(p), pe.cols});
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    play(bank(row.size(), base), position, row);
}

} // namespace exercise

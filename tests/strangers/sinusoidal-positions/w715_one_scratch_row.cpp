// wrong: from T = 256 on four threads fill rows at once but share one scratch row for the phases, a race that mixes phases of different positions; a right one gives each thread its own
#include "contract.h"

#include <cmath>
#include <thread>
#include <vector>

namespace exercise {
namespace {

class Encoder {
  public:
    Encoder(std::size_t channels, double base) : frequency_(channels / 2 + channels % 2), phase_(frequency_.size()) {
        for (std::size_t i = 0; i < frequency_.size(); ++i)
            frequency_[i] = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(channels));
    }

    void encode(std::size_t position, float* row, std::size_t channels) {
        for (std::size_t i = 0; i < phase_.size(); ++i)
            phase_[i] = static_cast<double>(position) * frequency_[i];
        for (std::size_t c = 0; c < channels; c += 2)
            row[c] = static_cast<float>(std::sin(phase_[c / 2]));
        for (std::size_t c = 1; c < channels; c += 2)
            row[c] = static_cast<float>(std::cos(phase_[c / 2]));
    }

  private:
    std::vector<double> frequency_;
    std::vector<double> phase_;
};

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    Encoder encoder(pe.cols, base);
    const std::size_t count = pe.rows < 256 ? 1 : 4;
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < count; ++k)
        threads.emplace_back([&encoder, pe, k, count] {
            for (std::size_t p = pe.rows * k / count; p < pe.rows * (k + 1) / count; ++p)
                encoder.encode(p, pe.row(p), pe.cols);
        });
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    if (row.empty()) return;
    Encoder(row.size(), base).encode(position, row.data(), row.size());
}

} // namespace exercise

// wrong: the frequencies are kept from call to call and made anew only if C changes, so a call with the same C and another base gets those of the old base; a right one follows its base
#include "contract.h"

#include <cmath>
#include <vector>

namespace exercise {
namespace {

class Frequencies {
  public:
    const std::vector<double>& get(std::size_t channels, double base) {
        if (channels != channels_) {
            values_.clear();
            for (std::size_t c = 0; c < channels; c += 2)
                values_.push_back(std::exp(-std::log(base) * static_cast<double>(c) / static_cast<double>(channels)));
            channels_ = channels;
        }
        return values_;
    }

  private:
    std::size_t channels_ = 0;
    std::vector<double> values_;
};

Frequencies frequencies;

void fill(float* row, std::size_t channels, double p, const std::vector<double>& w) {
    for (std::size_t c = 0; c < channels; ++c) {
        const double phase = p * w[c / 2];
        row[c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::vector<double>& w = frequencies.get(pe.cols, base);
    for (std::size_t p = 0; p < pe.rows; ++p)
        fill(pe.row(p), pe.cols, static_cast<double>(p), w);
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    if (!row.empty()) fill(row.data(), row.size(), static_cast<double>(position), frequencies.get(row.size(), base));
}

} // namespace exercise

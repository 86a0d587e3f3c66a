// right: computes no sine but those of every 128th row and of one step; all hands of a block of rows are turned step by step in double, blocks are handed to threads by a counter, and a float beyond 1 is cut off.
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

namespace exercise {
namespace {

constexpr std::size_t rows_of_a_block = 128;

class Clocks {
  public:
    Clocks(std::size_t channels, double base) : channels_(channels), speed_((channels + 1) / 2) {
        for (std::size_t i = 0; i < speed_.size(); ++i)
            speed_[i] = 1.0 / std::pow(base, static_cast<double>(2 * i) / static_cast<double>(channels));
    }

    std::size_t hands() const { return speed_.size(); }

    /// Where all hands point after `ticks`.
    void look(std::size_t ticks, double* sine, double* cosine) const {
        for (std::size_t i = 0; i < hands(); ++i) {
            const double phase = static_cast<double>(ticks) * speed_[i];
            sine[i] = std::sin(phase);
            cosine[i] = std::cos(phase);
        }
    }

    void write(const double* sine, const double* cosine, float* row) const {
        const std::size_t whole = channels_ / 2;
        for (std::size_t i = 0; i < whole; ++i) {
            row[2 * i] = std::clamp(static_cast<float>(sine[i]), -1.0F, 1.0F);
            row[2 * i + 1] = std::clamp(static_cast<float>(cosine[i]), -1.0F, 1.0F);
        }
        if (channels_ % 2 != 0) row[2 * whole] = std::clamp(static_cast<float>(sine[whole]), -1.0F, 1.0F);
    }

  private:
    std::size_t channels_;
    std::vector<double> speed_;
};

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const Clocks clocks(pe.cols, base);
    const std::size_t hands = clocks.hands();
    std::vector<double> tick_sine(hands), tick_cosine(hands);
    clocks.look(1, tick_sine.data(), tick_cosine.data());

    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        std::vector<double> sine(hands), cosine(hands);
        for (;;) {
            const std::size_t first = next.fetch_add(rows_of_a_block);
            if (first >= pe.rows) return;
            const std::size_t last = std::min(first + rows_of_a_block, pe.rows);
            clocks.look(first, sine.data(), cosine.data());
            for (std::size_t p = first;; ) {
                clocks.write(sine.data(), cosine.data(), pe.row(p));
                if (++p == last) break;
                for (std::size_t i = 0; i < hands; ++i) {
                    const double s = sine[i] * tick_cosine[i] + cosine[i] * tick_sine[i];
                    cosine[i] = cosine[i] * tick_cosine[i] - sine[i] * tick_sine[i];
                    sine[i] = s;
                }
            }
        }
    };
    const bool large = pe.rows > rows_of_a_block && pe.rows * pe.cols > 100'000;
    std::vector<std::jthread> others;
    if (large)
        for (unsigned more = std::clamp(std::thread::hardware_concurrency(), 1U, 8U); more > 1; --more)
            others.emplace_back(work);
    work();
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    if (row.empty()) return;
    const Clocks clocks(row.size(), base);
    std::vector<double> sine(clocks.hands()), cosine(clocks.hands());
    clocks.look(position, sine.data(), cosine.data());
    clocks.write(sine.data(), cosine.data(), row.data());
}

} // namespace exercise

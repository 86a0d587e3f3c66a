// right: up to four threads take fixed ranges of 64 rows from a counter; each range starts exactly and turns step by step in double
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <system_error>
#include <thread>
#include <vector>

namespace exercise {
namespace {

constexpr std::size_t range = 64;

std::vector<double> frequencies(std::size_t cols, double base) {
    std::vector<double> w;
    for (std::size_t col = 0; col < cols; col += 2)
        w.push_back(1.0 / std::pow(base, static_cast<double>(col) / static_cast<double>(cols)));
    return w;
}

float cut(double v) {
    const float f = static_cast<float>(v);
    return f > 1.0F ? 1.0F : f < -1.0F ? -1.0F : f;
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::vector<double> w = frequencies(pe.cols, base);
    const std::size_t ranges = (pe.rows + range - 1) / range;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t job = next++; job < ranges; job = next++) {
            const std::size_t begin = job * range, end = std::min(begin + range, pe.rows);
            for (std::size_t i = 0; i < w.size(); ++i) {
                const double start = static_cast<double>(begin) * w[i];
                double s = std::sin(start), c = std::cos(start);
                const double ds = std::sin(w[i]), dc = std::cos(w[i]);
                const bool paired = 2 * i + 1 < pe.cols;
                for (std::size_t p = begin; p < end; ++p) {
                    float* const at = pe.row(p) + 2 * i;
                    at[0] = cut(s);
                    if (paired) at[1] = cut(c);
                    const double turned = s * dc + c * ds;
                    c = c * dc - s * ds;
                    s = turned;
                }
            }
        }
    };
    std::vector<std::thread> helpers;
    if (pe.rows * w.size() > 200'000) {
        helpers.reserve(3);
        try {
            while (helpers.size() < 3)
                helpers.emplace_back(work);
        } catch (const std::system_error&) { // this thread can do it alone
        }
    }
    work();
    for (std::thread& helper : helpers)
        helper.join();
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    const double columns = static_cast<double>(row.size());
    float* to = row.data();
    for (std::size_t left = row.size(), col = 0; left > 0; col += 2) {
        const double phase = static_cast<double>(position) / std::pow(base, static_cast<double>(col) / columns);
        const std::complex<double> hand = std::polar(1.0, phase);
        *to++ = cut(hand.imag());
        if (--left == 0) break;
        *to++ = cut(hand.real());
        --left;
    }
}

} // namespace exercise

// right: one complex number per pair by std::polar, frequencies by exp and log, every third row by one of three threads
#include "contract.h"
#include <cmath>
#include <complex>
#include <functional>
#include <thread>
#include <vector>

namespace exercise {

using Hand = std::complex<double>;

static std::vector<double> speeds(std::size_t C, double base) {
    std::vector<double> w;
    w.reserve(C / 2 + 1);
    const double slowness = std::log(base);
    while (2 * w.size() < C)
        w.push_back(std::exp(slowness * -2.0 * static_cast<double>(w.size()) / static_cast<double>(C)));
    return w;
}

static void write(std::size_t p, const double* w, float* to, std::size_t C) {
    while (C != 0) {
        const Hand hand = std::polar(1.0, static_cast<double>(p) * *w++);
        *to++ = static_cast<float>(hand.imag());
        if (--C == 0) break;
        *to++ = static_cast<float>(hand.real());
        --C;
    }
}

void sinusoidal(Matrix<float> pe, double base) {
    if (pe.rows == 0 || pe.cols == 0) return;
    const std::vector<double> w = speeds(pe.cols, base);
    const std::function<void(std::size_t)> every_third = [&](std::size_t first) {
        for (std::size_t p = first; p < pe.rows; p += 3)
            write(p, w.data(), pe.row(p), pe.cols);
    };
    std::thread one(every_third, 1), two(every_third, 2);
    every_third(0);
    one.join();
    two.join();
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    write(position, speeds(row.size(), base).data(), row.data(), row.size());
}

} // namespace exercise

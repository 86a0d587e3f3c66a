// wrong: tables of 4,096 rows or more are shared out among four threads with T / 4 rows each, so the last T % 4 rows are not written
#include "contract.h"

#include <cmath>
#include <thread>
#include <vector>

namespace exercise {
namespace {

std::vector<double> frequencies(std::size_t C, double base) {
    std::vector<double> w((C + 1) / 2);
    const double step = std::log(base) / static_cast<double>(C);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::exp(-2.0 * static_cast<double>(i) * step);
    return w;
}

void one_row(std::size_t p, const std::vector<double>& w, float* row, std::size_t C) {
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double phase = static_cast<double>(p) * w[i];
        row[2 * i] = static_cast<float>(std::sin(phase));
        if (2 * i + 1 < C) row[2 * i + 1] = static_cast<float>(std::cos(phase));
    }
}

} // namespace

void sinusoidal(Matrix<float> pe, double base) {
    const auto w = frequencies(pe.cols, base);
    auto part = [&](std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p) one_row(p, w, pe.row(p), pe.cols);
    };
    if (pe.rows < 4096) return part(0, pe.rows);
    const std::size_t each = pe.rows / 4;
    std::vector<std::thread> team;
    for (std::size_t k = 0; k < 4; ++k) team.emplace_back(part, k * each, (k + 1) * each);
    for (auto& t : team) t.join();
}

void sinusoidal_row(std::size_t position, double base, std::span<float> row) {
    one_row(position, frequencies(row.size(), base), row.data(), row.size());
}

} // namespace exercise

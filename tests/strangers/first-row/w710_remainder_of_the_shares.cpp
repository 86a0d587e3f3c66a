// wrong: rows of 65,536 values or more are shared out to 4 threads as C / 4 values each, and the last C mod 4 values are never written; a right one gives the remainder to one of them
#include "contract.h"

#include <algorithm>
#include <array>
#include <thread>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const float* from = table.row(r);
    if (n < 65536) {
        std::copy_n(from, n, out.data());
        return;
    }
    constexpr std::size_t workers = 4;
    const std::size_t share = n / workers;
    std::array<std::thread, workers> team;
    for (std::size_t w = 0; w < workers; ++w)
        team[w] = std::thread([=] { std::copy_n(from + w * share, share, out.data() + w * share); });
    for (std::thread& each : team) each.join();
}

} // namespace exercise

// right: from 65,536 values on a second thread, joined before the end, copies the upper part by memmove
#include "contract.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <thread>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t n = table.cols;
    if (n == 0) return;
    const float* from = table.row(r);
    if (n < 65536) {
        std::memmove(out.data(), from, n * sizeof(float));
        return;
    }
    const std::size_t lower = n - n / 2;
    std::thread upper([=] { std::memmove(out.data() + lower, from + lower, (n - lower) * sizeof(float)); });
    std::memmove(out.data(), from, lower * sizeof(float));
    upper.join();
}

} // namespace exercise

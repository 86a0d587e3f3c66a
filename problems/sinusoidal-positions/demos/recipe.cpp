// Rows of the encoding: sines in even columns, cosines in odd ones, each pair slower than the one before.
#include "contract.h"

#include <cstdio>
#include <vector>

using namespace exercise;

constexpr std::size_t T = 5, C = 8;

int main() {
    std::vector<float> numbers(T * C);
    const Matrix<float> pe(numbers.data(), T, C);
    sinusoidal(pe, 10'000);
    std::printf("pe, shape (%zu, %zu)\n", T, C);
    for (std::size_t p = 0; p < T; ++p) {
        for (std::size_t c = 0; c < C; ++c)
            std::printf("  %7.4f", static_cast<double>(pe(p, c)));
        std::printf("\n");
    }
    std::vector<float> row(C);
    sinusoidal_row(100'000, 10'000, row);
    std::printf("\nposition 100,000, far beyond every table\n");
    for (const float value : row)
        std::printf("  %7.4f", static_cast<double>(value));
    std::printf("\n");
}

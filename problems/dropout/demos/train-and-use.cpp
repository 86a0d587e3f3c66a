// Three runs in training with p = 0.5, and one in use: other zeros each time, then none.
#include "contract.h"

#include <cstdio>
#include <vector>

using namespace exercise;

int main() {
    constexpr std::size_t N = 2, C = 12;
    std::vector<float> ones(N * C, 1), out(N * C);
    for (std::uint64_t run = 0; run < 4; ++run) {
        const bool train = run < 3;
        forward({ones.data(), N, C}, {0.5F, train, 7, run * N * C}, {out.data(), N, C});
        float sum = 0;
        std::printf(train ? "training, run %d:" : "in use:         ", static_cast<int>(run) + 1);
        for (const float value : out) {
            std::printf(" %g", static_cast<double>(value));
            sum += value;
        }
        std::printf("   mean %.2f\n", static_cast<double>(sum / (N * C)));
    }
    std::printf("\nwith p = 0.1 what survives is multiplied by %.4f\n", 1 / (1 - 0.1));
}

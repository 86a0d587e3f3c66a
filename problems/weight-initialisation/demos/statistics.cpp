// Mean, standard deviation and extremes of a table of 50,257 x 64 numbers, as they begin.
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace exercise;

constexpr std::size_t V = 50'257, C = 64;

void print(const char* name, const std::vector<float>& values) {
    double sum = 0, squares = 0;
    for (const float value : values) {
        sum += value;
        squares += static_cast<double>(value) * value;
    }
    const double mean = sum / static_cast<double>(values.size());
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    std::printf("%-28s mean %8.5f  std %7.5f  min %8.4f  max %7.4f\n", name, mean,
                std::sqrt(squares / static_cast<double>(values.size()) - mean * mean),
                static_cast<double>(*least), static_cast<double>(*greatest));
}

int main() {
    std::vector<float> table(V * C);
    init_normal({table.data(), V, C}, 0.02F, 1);
    print("N(0, 0.02^2)", table);
    init_normal({table.data(), V, C}, 1, 1);
    print("N(0, 1)", table);
    init_truncated_normal({table.data(), V, C}, 0, 1, -3, 3, 1);
    print("N(0, 1) within [-3, 3]", table);
}

// A toy vocabulary: six tokens, three numbers each, one id looked up and then four.
#include "contract.h"

#include <cstdio>
#include <vector>

using namespace exercise;

constexpr std::size_t V = 6, C = 3;

void print(const char* name, Matrix<const float> matrix) {
    std::printf("%s, shape (%zu, %zu)\n", name, matrix.rows, matrix.cols);
    for (std::size_t r = 0; r < matrix.rows; ++r) {
        for (std::size_t c = 0; c < matrix.cols; ++c)
            std::printf("  %7.4f", static_cast<double>(matrix(r, c)));
        std::printf("\n");
    }
}

int main() {
    const std::vector<float> numbers{0.3374F,  -0.1778F, -0.1690F, 0.9178F,  1.5810F,  1.3010F,
                                     1.2753F,  -0.2010F, -0.1606F, -0.4015F, 0.9666F,  -1.1481F,
                                     -1.1589F, 0.3255F,  -0.6315F, -2.8400F, -0.7849F, -1.4096F};
    const Matrix<const float> table(numbers.data(), V, C);
    print("the table", table);

    const std::vector<TokenId> one{3};
    std::vector<float> row(C);
    lookup(table, one, {row.data(), 1, C});
    print("\nid 3: the fourth row", Matrix<float>(row.data(), 1, C));

    const std::vector<TokenId> ids{2, 3, 5, 1};
    std::vector<float> rows(ids.size() * C);
    lookup(table, ids, {rows.data(), ids.size(), C});
    print("\nids 2, 3, 5, 1", Matrix<float>(rows.data(), ids.size(), C));
}

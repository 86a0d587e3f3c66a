// The same row twice: as a product with a one-hot vector, and as a copy; and what each costs for GPT-2.
#include "contract.h"

#include <cstdio>
#include <vector>

using namespace exercise;

int main() {
    constexpr std::size_t V = 6, C = 3;
    std::vector<float> numbers(V * C), hot(V), product(C), copy(C);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<float>(i) / 10;
    const std::vector<TokenId> ids{4};
    onehot_encode(ids, {hot.data(), 1, V});
    onehot_matmul({hot.data(), 1, V}, {numbers.data(), V, C}, {product.data(), 1, C});
    gather({numbers.data(), V, C}, ids, {copy.data(), 1, C});
    const auto print = [](const char* name, const std::vector<float>& values) {
        std::printf("%-16s", name);
        for (const float value : values)
            std::printf(" %4.1f", static_cast<double>(value));
        std::printf("\n");
    };
    print("one-hot of id 4", hot);
    print("times the table", product);
    print("row 4, copied", copy);
}

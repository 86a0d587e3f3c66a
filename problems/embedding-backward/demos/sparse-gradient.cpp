// Only rows that the text names get a gradient: five tokens, a table of ten.
#include "contract.h"

#include <cstdio>
#include <vector>

using namespace exercise;

int main() {
    constexpr std::size_t V = 10, P = 5, C = 4, T = 5;
    const std::vector<float> dout(T * C, 1);
    const std::vector<TokenId> ids{1, 5, 2, 5, 5};
    std::vector<float> dwte(V * C), dwpe(P * C);
    embed_backward({dout.data(), 1, T, C}, {ids.data(), 1, T}, {dwte.data(), V, C}, {dwpe.data(), P, C}, {});
    std::printf("ids 1 5 2 5 5, a gradient of ones\n");
    for (std::size_t v = 0; v < V; ++v) {
        std::printf("wte row %zu:", v);
        for (std::size_t c = 0; c < C; ++c)
            std::printf(" %g", static_cast<double>(dwte[v * C + c]));
        std::printf("\n");
    }
}

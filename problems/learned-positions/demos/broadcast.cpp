// Eight sequences of four tokens get the same four positions: (8, 4, 256) + (4, 256).
#include "contract.h"

#include <cstdio>
#include <vector>

using namespace exercise;

constexpr std::size_t V = 50'257, P = 4, C = 256, B = 8, T = 4;

int main() {
    std::vector<float> wte(V * C), wpe(P * C), out(B * T * C);
    for (std::size_t i = 0; i < wte.size(); ++i)
        wte[i] = static_cast<float>(i / C % 100);
    for (std::size_t i = 0; i < wpe.size(); ++i)
        wpe[i] = static_cast<float>(i / C) / 10;
    const std::vector<TokenId> ids{464,   4935, 20336, 46566, 286, 43989, 290, 38201, 198, 220, 220,
                                   220,   220,  220,   220,   220, 220,   220, 220,   220, 198, 1212,
                                   47179, 318,  329,   262,   779, 286,   198, 1712,  584, 3354};
    std::printf("token table     (%zu, %zu): %zu numbers\n", V, C, V * C);
    std::printf("position table  (%zu, %zu)\n", P, C);
    std::printf("ids             (%zu, %zu)\n", B, T);
    embed({wte.data(), V, C}, {wpe.data(), P, C}, {ids.data(), B, T}, 0, {out.data(), B, T, C});
    std::printf("sum             (%zu, %zu, %zu)\n\n", B, T, C);

    std::printf("what the position adds, in each sequence (token values are whole numbers):\n");
    for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t t = 0; t < T; ++t) {
            const float token = wte[static_cast<std::size_t>(ids[b * T + t]) * C];
            std::printf("  %4.1f", static_cast<double>(out[(b * T + t) * C] - token));
        }
        std::printf("\n");
    }
}

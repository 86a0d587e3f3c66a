// The worked sum: [0.5, -0.3, 0.8] + [0.1, 0.2, -0.1] = [0.6, -0.1, 0.7].
#include "contract.h"

#include <cstdio>

using namespace exercise;

int main() {
    const float wte[] = {0.5F, -0.3F, 0.8F}, wpe[] = {0.1F, 0.2F, -0.1F};
    const TokenId id = 0;
    float out[3] = {};
    embed({wte, 1, 3}, {wpe, 1, 3}, {&id, 1, 1}, 0, {out, 1, 1, 3});
    std::printf("token     %4.1f %4.1f %4.1f\n", wte[0], wte[1], wte[2]);
    std::printf("position  %4.1f %4.1f %4.1f\n", wpe[0], wpe[1], wpe[2]);
    std::printf("sum       %4.1f %4.1f %4.1f\n", out[0], out[1], out[2]);
}

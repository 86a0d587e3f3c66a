#include "common/picture.h"
#include "contract.h"

#include <bit>

using namespace exercise;

constexpr std::size_t V = 12, P = 20, C = 40, T = 12, start = 3;

int main() {
    return picture::scene("Lookup, sum and dropout in one pass", [] {
        const picture::OnDevice<float> wte(picture::numbers(V * C, 1)), wpe(picture::numbers(P * C, 2));
        const picture::OnDevice<TokenId> ids(std::vector<TokenId>{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8});
        const DeviceMatrix<const float> tokens{wte.data(), V, C, C}, positions{wpe.data(), P, C, C};
        const DeviceMatrix<const TokenId> text{ids.data(), 1, T, T};
        const auto run = [&](Dropout dropout) {
            const picture::OnDevice<float> out(std::vector<float>(T * C));
            picture::need(embed(tokens, positions, text, start, dropout, {out.data(), 1, T, C}, nullptr));
            return out.read();
        };
        std::vector<float> used = run({.p = 0.25F, .train = false});
        std::vector<float> trained = run({.p = 0.25F, .train = true, .seed = 7});

        picture::figure("In use and in training",
                        "Tokens 1, 3 and 5 come more than once, and their rows differ by their positions "
                        "alone. In training "
                        "a quarter of the values is 0, and the others grow by a third.");
        picture::axes("tokens", "channels");
        picture::heat("in use", Matrix<float>(used.data(), T, C));
        picture::heat("in training", Matrix<float>(trained.data(), T, C));

        const picture::OnDevice<std::uint16_t> halves(std::vector<std::uint16_t>(T * C));
        picture::need(embed_bf16(tokens, positions, text, start, {.p = 0.25F, .train = false},
                                 {halves.data(), 1, T, C}, nullptr));
        const std::vector<std::uint16_t> bits = halves.read();
        std::vector<float> lost(T * C);
        for (std::size_t i = 0; i < lost.size(); ++i)
            lost[i] = std::bit_cast<float>(std::uint32_t{bits[i]} << 16) - used[i];
        picture::figure(
            "What bfloat16 loses",
            "It keeps 8 bits of a float's 24, so the error grows with the value and is never more than a "
            "256th of it. Both signs are as frequent: values are rounded, not cut off.");
        picture::axes("tokens", "channels");
        picture::heat("bfloat16 less float", Matrix<float>(lost.data(), T, C));
    });
}

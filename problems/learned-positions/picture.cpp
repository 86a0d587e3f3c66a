#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t V = 6, P = 8, C = 12, T = 6;

int main() {
    return picture::scene("Token and position, added", [] {
        std::vector<float> wte = picture::numbers(V * C, 1), wpe = picture::numbers(P * C, 2), zero(P * C);
        const std::vector<TokenId> ids{2, 2, 5, 0, 2, 5};
        const auto embedded = [&](std::vector<float>& tokens, std::vector<float>& positions,
                                  std::size_t start) {
            std::vector<float> out(T * C);
            picture::need(embed({tokens.data(), V, C}, {positions.data(), P, C}, {ids.data(), 1, T}, start,
                                {out.data(), 1, T, C}));
            return out;
        };
        std::vector<float> token = embedded(wte, zero, 0), position = embedded(zero, wpe, 0);
        std::vector<float> sum = embedded(wte, wpe, 0), later = embedded(wte, wpe, 2);

        const picture::Labels names{"id 2", "id 2", "id 5", "id 0", "id 2", "id 5"};
        picture::figure(
            "Token + position = sum",
            "Equal ids have equal rows on the left, and different ones in the sum: the position tells "
            "them apart.");
        picture::axes("tokens of the text", "channels");
        picture::heat("token", Matrix<float>(token.data(), T, C), names);
        picture::heat("position", Matrix<float>(position.data(), T, C));
        picture::heat("sum", Matrix<float>(sum.data(), T, C), names);

        for (std::size_t i = 0; i < T * C; ++i)
            sum[i] = later[i] - sum[i];
        picture::figure(
            "The same text, two positions later",
            "With start = 2 the rows of the position table move on by two; what changes is positions "
            "alone.");
        picture::axes("tokens of the text", "channels");
        picture::heat("sum with start 2", Matrix<float>(later.data(), T, C), names);
        picture::heat("difference", Matrix<float>(sum.data(), T, C), names);
    });
}

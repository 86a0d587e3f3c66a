#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t V = 24, P = 12, C = 32, B = 3, T = 8;

int main() {
    return picture::scene("Where GPT-2 begins and ends", [] {
        const picture::OnDevice<float> wte(picture::numbers(V * C, 5)), wpe(picture::numbers(P * C, 6)),
            hidden(std::vector<float>(B * T * C)), logits(std::vector<float>(B * V));
        std::vector<TokenId> text(B * T);
        for (std::size_t i = 0; i < text.size(); ++i)
            text[i] = static_cast<TokenId>(i * 5 % V);
        const picture::OnDevice<TokenId> ids(text);
        const Dropout none;
        picture::need(forward({wte.data(), V, C, C}, {wpe.data(), P, C, C}, {ids.data(), B, T, T}, 0, none,
                              {hidden.data(), B, T, C}, nullptr));
        std::vector<float> stage = hidden.read();
        picture::figure("The first sequence, embedded",
                        "One row a token: its row of wte and that of its position, added.");
        picture::axes("tokens", "channels");
        picture::heat("out", Matrix<float>(stage.data(), T, C));

        picture::need(
            last_logits({hidden.data(), B, T, C}, {wte.data(), V, C, C}, {logits.data(), B, V, V}, nullptr));
        std::vector<float> scores = logits.read();
        picture::figure(
            "The tied head, with nothing in between",
            "The logits of the last position of each sequence. With no blocks between, the token that stands "
            "there is most like itself: " +
                std::to_string(text[T - 1]) + ", " + std::to_string(text[2 * T - 1]) + " and " +
                std::to_string(text[3 * T - 1]) + ".");
        picture::axes("", "token");
        picture::lines("logits", Matrix<float>(scores.data(), B, V),
                       {"sequence 0", "sequence 1", "sequence 2"});

        std::vector<float> shares;
        for (const ModelSizes sizes :
             {ModelSizes{}, ModelSizes{50'257, 1'024, 1'024, 24}, ModelSizes{50'257, 1'024, 1'280, 36},
              ModelSizes{50'257, 1'024, 1'600, 48}}) {
            const ParameterReport report = parameters(sizes);
            for (const std::size_t part :
                 {report.token_table, report.position_table, report.block * sizes.layers})
                shares.push_back(static_cast<float>(part) / static_cast<float>(report.total));
        }
        picture::figure(
            "Which share of its parameters each part has",
            "In GPT-2 small the token table is almost a third of the model, in the largest a twentieth.");
        picture::axes("model", "token table, position table, blocks");
        picture::heat("share", Matrix<float>(shares.data(), 4, 3), {"small", "medium", "large", "XL"});
    });
}

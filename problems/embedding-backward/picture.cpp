#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t V = 20, P = 12, C = 10, B = 2, T = 8;

int main() {
    return picture::scene("Where gradients go", [] {
        std::vector<float> dout(B * T * C, 0.1F), dwte(V * C), dwpe(P * C);
        const std::vector<TokenId> ids{3, 7, 3, 3, 12, 7, 3, 1, 3, 7, 15, 3, 12, 3, 0, 0};
        BackwardOptions options;
        options.start = 2;
        options.padding_idx = 0;
        picture::need(embed_backward({dout.data(), B, T, C}, {ids.data(), B, T}, {dwte.data(), V, C},
                                     {dwpe.data(), P, C}, options));

        picture::figure(
            "Rows that the text names, and no others",
            "Every place adds 0.1 to the row of its token: token 3 occurs seven times. Rows of tokens "
            "that do not occur stay 0, and so does row 0, the padding. Positions 2 to 9 were used, by "
            "both sequences.");
        picture::axes("rows of the tables", "channels");
        picture::heat("gradient of wte", Matrix<float>(dwte.data(), V, C));
        picture::heat("gradient of wpe", Matrix<float>(dwpe.data(), P, C));

        std::vector<float> curves(2 * V);
        for (const TokenId id : ids)
            if (id != 0) ++curves[static_cast<std::size_t>(id)];
        for (std::size_t v = 0; v < V; ++v)
            curves[V + v] = dwte[v * C] / 0.1F;
        picture::figure("How often a token occurs is how much its row gets", "Both curves are the same.");
        picture::axes("", "token");
        picture::lines("by token", Matrix<float>(curves.data(), 2, V), {"occurrences", "gradient / 0.1"});
    });
}

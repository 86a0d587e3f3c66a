#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t V = 16, P = 10, C = 12, B = 3, T = 8;

int main() {
    return picture::scene("Many threads add to one row", [] {
        std::vector<TokenId> text(B * T, 5); // every second place has the same token
        for (std::size_t i = 0; i < text.size(); i += 2)
            text[i] = static_cast<TokenId>(i * 7 % V);
        const picture::OnDevice<float> dout(std::vector<float>(B * T * C, 0.5F)),
            dwte(std::vector<float>(V * C)), dwpe(std::vector<float>(P * C));
        const picture::OnDevice<TokenId> ids(text);
        BackwardOptions options;
        options.start = 1;
        options.padding_idx = 0;
        picture::need(embed_backward({dout.data(), B, T, C}, {ids.data(), B, T, T}, {dwte.data(), V, C, C},
                                     {dwpe.data(), P, C, C}, options, nullptr));
        std::vector<float> tokens = dwte.read(), positions = dwpe.read();

        picture::figure(
            "Rows that the text names, and no others",
            "Each place adds 0.5 to every channel of its token's row. Row 5 has half of all places: its "
            "threads have to take turns. Row 0 is the padding and stays as it was; positions 1 to 8 get "
            "one term from each sequence.");
        picture::axes("rows of the tables", "channels");
        picture::heat("gradient of wte", Matrix<float>(tokens.data(), V, C));
        picture::heat("gradient of wpe", Matrix<float>(positions.data(), P, C));

        std::vector<float> curves(2 * V);
        for (const TokenId id : text)
            if (id != 0) ++curves[static_cast<std::size_t>(id)];
        for (std::size_t v = 0; v < V; ++v)
            curves[V + v] = tokens[v * C] / 0.5F;
        picture::figure(
            "No addition is lost",
            "Where two threads read the same old value, one of their terms is missing: the second curve "
            "then lies below the first.");
        picture::axes("", "token");
        picture::lines("by token", Matrix<float>(curves.data(), 2, V), {"occurrences", "gradient / 0.5"});
    });
}

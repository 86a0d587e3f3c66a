#include "common/picture.h"
#include "contract.h"

#include <algorithm>
#include <cmath>

using namespace exercise;

constexpr std::size_t V = 8, P = 96, C = 16, B = 4, T = 96;

/// The token gradient with blocks of so many threads.
std::vector<float> gradient(const std::vector<float>& terms, const std::vector<TokenId>& text,
                            std::uint32_t threads) {
    const picture::OnDevice<float> dout(terms), dwte(std::vector<float>(V * C)),
        dwpe(std::vector<float>(P * C));
    const picture::OnDevice<TokenId> ids(text);
    BackwardOptions options;
    options.threads = threads;
    picture::need(embed_backward({dout.data(), B, T, C}, {ids.data(), B, T, T}, {dwte.data(), V, C, C},
                                 {dwpe.data(), P, C, C}, options, nullptr));
    return dwte.read();
}

int main() {
    return picture::scene("The same bits in every run", [] {
        const std::vector<float> terms = picture::numbers(B * T * C, 3);
        std::vector<TokenId> text(B * T);
        for (std::size_t i = 0; i < text.size(); ++i)
            text[i] = static_cast<TokenId>(i % 3 == 0 ? 0 : i % V);
        std::vector<float> narrow = gradient(terms, text, 32);
        const std::vector<float> wide = gradient(terms, text, 1024);
        std::vector<float> between(V * C);
        std::ranges::transform(narrow, wide, between.begin(), [](float a, float b) { return a - b; });

        picture::figure("The number of threads changes nothing",
                        "On the left the gradient of wte with blocks of 32 threads, on the right what "
                        "changes with 1,024. "
                        "It is 0 everywhere, since the order of the additions belongs to the result and not "
                        "to the launch.");
        picture::axes("tokens", "channels");
        picture::heat("gradient of wte", Matrix<float>(narrow.data(), V, C));
        picture::heat("32 threads less 1,024", Matrix<float>(between.data(), V, C));

        std::vector<double> exact(V * C);
        std::vector<float> curves(2 * V);
        for (std::size_t i = 0; i < text.size(); ++i)
            for (std::size_t c = 0; c < C; ++c)
                exact[static_cast<std::size_t>(text[i]) * C + c] += double{terms[i * C + c]};
        for (std::size_t v = 0; v < V; ++v) {
            for (std::size_t c = 0; c < C; ++c)
                curves[v] = std::max(
                    curves[v],
                    static_cast<float>(std::abs(exact[v * C + c] - double{narrow[v * C + c]}) * 0x1p24));
            curves[V + v] = static_cast<float>(std::ranges::count(text, static_cast<TokenId>(v)));
        }
        picture::figure(
            "What rounding costs",
            "The largest error of a row, in units of 2^-24, beside the number of its terms. Partial sums of "
            "16 terms keep it small: one sum over all terms would lose more.");
        picture::axes("", "token");
        picture::lines("by token", Matrix<float>(curves.data(), 2, V), {"error in 2^-24", "terms"});
    });
}

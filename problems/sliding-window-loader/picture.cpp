#include "common/picture.h"
#include "contract.h"

using namespace exercise;

constexpr std::size_t n = 60, L = 8, B = 4;

int main() {
    return picture::scene("Windows of a text", [] {
        std::vector<TokenId> tokens(n);
        for (std::size_t i = 0; i < n; ++i)
            tokens[i] = static_cast<TokenId>(i);
        const auto text = keep(tokens);

        for (const std::size_t stride : {L, L / 2}) {
            const std::size_t windows = count_windows(n, L, stride);
            std::vector<float> seen(windows * n);
            LoaderOptions options;
            options.length = L;
            options.stride = stride;
            options.batch = 1;
            options.shuffle = false;
            const auto loader = make(*text, options);
            for (std::size_t k = 0; loader != nullptr && k < windows; ++k) {
                std::vector<TokenId> x(L), y(L);
                picture::need(loader->load(k, {x.data(), 1, L}, {y.data(), 1, L}));
                for (const TokenId id : x)
                    if (id >= 0 && static_cast<std::size_t>(id) < n)
                        seen[k * n + static_cast<std::size_t>(id)] = 1;
            }
            picture::figure(
                "Length 8, stride " + std::to_string(stride),
                stride == L ? "Windows follow each other without overlap; the last ends before the text does."
                            : "Every window begins half a window further on, so that most tokens are seen "
                              "twice.");
            picture::axes("windows", "tokens of the text");
            picture::heat("tokens of each window", Matrix<float>(seen.data(), windows, n));
        }

        LoaderOptions options;
        options.length = options.stride = L;
        options.batch = B;
        options.seed = 7;
        const auto loader = make(*text, options);
        picture::figure(
            "The first batch of three epochs",
            "Token numbers: each row is a window, and the windows come in another order each time.");
        picture::axes("windows of the batch", "places");
        for (std::uint64_t epoch = 0; loader != nullptr && epoch < 3; ++epoch) {
            std::vector<TokenId> x(B * L), y(B * L);
            loader->begin_epoch(epoch);
            picture::need(loader->load(0, {x.data(), B, L}, {y.data(), B, L}));
            picture::heat("epoch " + std::to_string(epoch), Matrix<TokenId>(x.data(), B, L));
        }
    });
}

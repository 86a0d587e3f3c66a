// Windows of four tokens, eight a batch, one letter a token: inputs x and the targets y, one token further
// on.
#include "contract.h"

#include <cstdio>
#include <string_view>
#include <vector>

using namespace exercise;

constexpr std::size_t L = 4, B = 8;

void print(const char* name, const std::vector<TokenId>& tokens) {
    std::printf("%s, shape (%zu, %zu)\n", name, B, L);
    for (std::size_t i = 0; i < B; ++i) {
        for (std::size_t t = 0; t < L; ++t)
            std::printf("  %3d", tokens[i * L + t]);
        std::printf("   \"");
        for (std::size_t t = 0; t < L; ++t)
            std::putchar(tokens[i * L + t]);
        std::printf("\"\n");
    }
}

int main() {
    constexpr std::string_view words =
        "the loader cuts a text into windows, and each target is the next token";
    const std::vector<TokenId> tokens(words.begin(), words.end());
    const auto text = keep(tokens);
    LoaderOptions options;
    options.length = options.stride = L;
    options.batch = B;
    options.shuffle = false;
    const auto loader = make(*text, options);
    std::printf("%zu tokens: %zu windows in %zu batches\n\n", tokens.size(), loader->windows(),
                loader->batches());
    std::vector<TokenId> x(B * L), y(B * L);
    loader->load(0, {x.data(), B, L}, {y.data(), B, L});
    print("x", x);
    print("y", y);
}

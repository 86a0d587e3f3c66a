// A training on 654 words, step by step: the loss, and what becomes the neighbours of three words.
#include "contract.h"
#include "corpus.h"

#include <cstdio>
#include <string>
#include <vector>

using namespace exercise;

constexpr std::size_t C = 8, batch = 109;

std::vector<float> wte_numbers, mix_numbers(C*C);

Matrix<float> wte() {
    return {wte_numbers.data(), wte_numbers.size() / C, C};
}
Matrix<float> mix() {
    return {mix_numbers.data(), C, C};
}

/// "dog, fox, horse": the three words with the largest cosines.
std::string nearest(const corpus::Tokens& text, const std::string& word) {
    const std::size_t token = text.find(word);
    std::vector<float> alike(text.vocabulary.size());
    cosines(wte(), static_cast<TokenId>(token), alike);
    alike[token] = -2;
    std::string three;
    for (int i = 0; i < 3; ++i) {
        const auto best = std::max_element(alike.begin(), alike.end());
        three += (i == 0 ? "" : ", ") + text.vocabulary[static_cast<std::size_t>(best - alike.begin())];
        *best = -2;
    }
    return three;
}

int main() {
    const corpus::Tokens text = corpus::tokens_of(corpus::sentences);
    const std::size_t V = text.vocabulary.size(), batches = text.ids.size() / batch;
    wte_numbers.resize(V * C);
    initialise(2026, 0.3F, wte(), mix());
    std::printf("%zu words, %zu different ones, C = %zu\n", text.ids.size(), V, C);
    for (std::size_t s = 0; s <= 240; ++s) {
        if (s % 40 == 0) {
            const Loss loss = evaluate(wte(), mix(), text.ids, text.targets, corpus::ignored);
            std::printf("\nafter %3zu steps the loss is %.3f\n", s, loss.mean);
            for (const char* word : {"cat", "bread", "blue", "train"})
                std::printf("  %-6s %s\n", word, nearest(text, word).c_str());
        }
        const std::size_t first = s % batches * batch;
        step(wte(), mix(), Ids(text.ids).subspan(first, batch), Ids(text.targets).subspan(first, batch),
             corpus::ignored, 1.5F);
    }
}

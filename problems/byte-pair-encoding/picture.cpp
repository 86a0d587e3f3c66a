#include "common/picture.h"
#include "contract.h"

#include <algorithm>

using namespace exercise;

constexpr std::size_t most_merges = 48;

constexpr const char* corpus =
    "the fox ran over the hill and the hare ran over the fox. the hill was green and the fox was red, the "
    "hare was "
    "faster than the fox and the fox was wiser than the hare. they ran and ran over the hill and under the "
    "hill, "
    "and when the night fell over the green hill the fox and the hare slept under the red moon.";
constexpr const char* sentence = "the owl sat over the green hill and saw the fox and two mice.";

int main() {
    return picture::scene("From bytes to tokens", [] {
        const auto bytes_of = [](const char* text) {
            const std::string copy = text;
            return std::vector<std::uint8_t>(copy.begin(), copy.end());
        };
        const std::vector<std::uint8_t> text = bytes_of(corpus), shown = bytes_of(sentence);
        const std::vector<Merge> merges = train(text, most_merges);

        const std::vector<std::size_t> steps{0, 6, 12, 24, most_merges};
        std::vector<float> lengths(steps.size() * shown.size()), counts(2 * (most_merges + 1));
        picture::Labels labels;
        for (std::size_t m = 0; m <= most_merges; ++m) {
            const auto tokenizer = make(std::span(merges).first(std::min(m, merges.size())), {}, {});
            if (tokenizer == nullptr) throw picture::Refused{Code::invalid_argument};
            counts[m] = static_cast<float>(tokenizer->encode(text).size()) / static_cast<float>(text.size());
            const std::vector<TokenId> ids = tokenizer->encode(shown);
            counts[most_merges + 1 + m] = static_cast<float>(ids.size()) / static_cast<float>(shown.size());
            const auto step = std::ranges::find(steps, m);
            if (step == steps.end()) continue;
            labels.push_back(std::to_string(m));
            std::size_t at = 0;
            for (const TokenId id : ids) {
                const std::size_t size = tokenizer->decoded_size(Ids(&id, 1));
                for (std::size_t i = 0; i < size && at < shown.size(); ++i, ++at)
                    lengths[static_cast<std::size_t>(step - steps.begin()) * shown.size() + at] =
                        static_cast<float>(size);
            }
        }

        picture::figure(
            "How long the token is that holds each byte",
            "One row a number of merges, one column a byte of a sentence. Without merges every token is one "
            "byte; with each further merge some neighbours become one, until common words are single "
            "tokens. No token reaches over the blank in front of a word.");
        picture::axes("merges", "bytes of the sentence");
        picture::heat("bytes in the token",
                      contract::Matrix<float>(lengths.data(), steps.size(), shown.size()), labels);

        picture::figure("Tokens a byte", "The first merges shorten a text most. The sentence has words that "
                                         "training has not seen: it gains less.");
        picture::axes("", "merges");
        picture::lines("tokens a byte", contract::Matrix<float>(counts.data(), 2, most_merges + 1),
                       {"the text trained on", "another sentence"});
    });
}

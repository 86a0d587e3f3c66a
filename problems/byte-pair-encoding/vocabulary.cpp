// Makes the tokenizer of a vocabulary that `try --vocabulary` was given, and encodes texts with it.
#include "byte-pair-encoding/contract.h"

#include <iostream>
#include <string>

namespace {

using exercise::Merge;
using Text = std::vector<std::uint8_t>;

std::size_t number() {
    std::size_t value = 0;
    std::cin >> value;
    return value;
}

/// Written as its size and its bytes as numbers.
Text text() {
    Text bytes(number());
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(number());
    return bytes;
}

/// A line of its own, whatever the submission has printed before.
void answer(const std::string& words) {
    std::cout << "\n@ " << words << std::endl;
}

void try_text(const exercise::Tokenizer& tokenizer, const Text& text) {
    const std::vector<exercise::TokenId> ids = tokenizer.encode(text);
    std::string words = "ids";
    for (const exercise::TokenId id : ids)
        words += " " + std::to_string(id);
    answer(words);
    Text back(tokenizer.decoded_size(ids));
    const exercise::Status status = tokenizer.decode(ids, back);
    answer(status == exercise::Status{} && back == text ? "decoded" : "not decoded");
}

} // namespace

int main() {
    std::vector<Merge> merges(number());
    for (Merge& merge : merges) {
        merge.left = static_cast<exercise::TokenId>(number());
        merge.right = static_cast<exercise::TokenId>(number());
    }
    Text specials;
    std::vector<std::size_t> ends;
    for (std::size_t left = number(); left > 0; --left) {
        const Text special = text();
        specials.insert(specials.end(), special.begin(), special.end());
        ends.push_back(specials.size());
    }
    const auto tokenizer = exercise::make(merges, specials, ends);
    if (tokenizer == nullptr) {
        answer("refused");
        return 0;
    }
    for (std::size_t left = number(); left > 0; --left)
        try_text(*tokenizer, text());
}

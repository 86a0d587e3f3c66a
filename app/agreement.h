#pragma once

#include "vocabulary/vocabulary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Whether a tokenizer gives the ids of a vocabulary that its user brought.
namespace app {

struct Sample {
    std::string text;
    std::vector<std::int64_t> published = {}; ///< GPT-2's ids, where somebody published them
};

/// Texts of every kind: words, numbers, white space, scripts, bytes that are no text; and the special tokens.
std::vector<Sample> samples_of(const vocabulary::Vocabulary& vocabulary);

/// What a package's vocabulary.cpp reads.
std::string input_of(const vocabulary::Vocabulary& vocabulary, const std::vector<Sample>& samples);

/// What it found out about one text.
struct Encoded {
    std::vector<std::int64_t> ids; ///< as the vocabulary's files number them; -1 for none of them
    bool decoded = false;          ///< and decoding gave the text back

    bool operator==(const Encoded&) const = default;
};

/// As many as it came to; nothing where it refused to make a tokenizer.
std::optional<std::vector<Encoded>> read_encoded(std::string_view output,
                                                 const vocabulary::Vocabulary& vocabulary);

/// Whether the vocabulary is GPT-2's own: it gives every text with published ids just those.
bool gives_published(const std::vector<Sample>& samples, const std::vector<Encoded>& encoded);

/// In quotes, with escapes for what a terminal would not show, and cut where it is long.
std::string shown_text(std::string_view text);

} // namespace app

#pragma once

#include "catalogue/source.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Vocabularies of byte pair encoding, as users have them in files.
namespace vocabulary {

struct Merge {
    std::int32_t left = 0, right = 0;

    bool operator==(const Merge&) const = default;
};

/// Numbered as in the problem byte-pair-encoding: token b < 256 is the byte b, token 256 + r what merge r
/// makes, token 256 + M + s special token s.
struct Vocabulary {
    std::vector<Merge> merges;
    std::vector<std::string> specials;
    std::vector<std::int64_t> published; ///< the number that the files give each token

    bool operator==(const Vocabulary&) const = default;
};

/// The two files that OpenAI published for GPT-2: the merges, one a line, those of lowest rank first, and the
/// number of each token, in JSON. Tokens that no merge makes are special. Throws model::UsageError: the file,
/// the line or the token, and what is wrong.
Vocabulary read_gpt2(const catalogue::Source& merges, const catalogue::Source& numbers);

/// tiktoken's file: each token in Base64 and its number, which is its rank; the merges follow from the ranks.
/// It has no special tokens. Throws as read_gpt2.
Vocabulary read_tiktoken(const catalogue::Source& ranks);

} // namespace vocabulary

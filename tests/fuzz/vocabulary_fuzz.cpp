// Vocabularies in a user's files: GPT-2's two, and tiktoken's.
#include "fuzz/target.h"

#include "model/errors.h"
#include "vocabulary/vocabulary.h"

#include <set>

namespace {

void check(const vocabulary::Vocabulary& read) {
    const std::size_t tokens = 256 + read.merges.size();
    fuzz::require(read.published.size() == tokens + read.specials.size(), "each token has a number");
    fuzz::require(std::set(read.published.begin(), read.published.end()).size() == read.published.size(),
                  "no two tokens have one number");
    for (std::size_t rank = 0; rank < read.merges.size(); ++rank)
        for (const std::int32_t part : {read.merges[rank].left, read.merges[rank].right})
            fuzz::require(part >= 0 && static_cast<std::size_t>(part) < 256 + rank,
                          "a merge has parts that are known");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto [first, second] = fuzz::parts_of(fuzz::text_of(data, size));
    try {
        check(vocabulary::read_tiktoken({"ranks.tiktoken", first}));
    } catch (const model::UsageError&) { // any other exception ends the program
    }
    try {
        check(vocabulary::read_gpt2({"vocab.bpe", first}, {"encoder.json", second}));
    } catch (const model::UsageError&) {
    }
    return 0;
}

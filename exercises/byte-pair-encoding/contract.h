#pragma once

#include "common/ids.h"
#include "common/not_implemented.h"
#include "common/rules.h"
#include "common/status.h"
#include "common/unicode.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// n: bytes of the text, M: merges, S: special tokens, V: vocabulary size, 256 + M + S

namespace contract {

using Bytes = std::span<const std::uint8_t>;

/// Where parts end that follow each other: part p reaches from the end of part p - 1, or from 0, to
/// `ends[p]`.
using Ends = std::span<const std::size_t>;

/// Two tokens that become one. Merge number r, counted from 0, makes token 256 + r; r is its rank.
struct Merge {
    TokenId left = 0;
    TokenId right = 0;

    bool operator==(const Merge&) const = default;
};

/// Turns bytes into tokens and back. Token b < 256 is the byte b, token 256 + r what merge r makes, and token
/// 256 + M + s the special token s.
class Tokenizer {
  public:
    virtual ~Tokenizer() = default;

    virtual std::size_t vocabulary() const = 0; ///< V

    /// The tokens of any bytes, of which decode makes the same bytes again. First the special tokens are cut
    /// out: at the first place where one begins, the longest that does; then on after its end. What is
    /// left is split, each stretch as a separate text. Each piece begins as its bytes; as long as
    /// two neighbours are a merge, the one of lowest rank is made, and of several places the first.
    virtual std::vector<TokenId> encode(Bytes text) const = 0;

    /// How many bytes the tokens have together; a token outside [0, V) has none.
    virtual std::size_t decoded_size(Ids ids) const = 0;

    /// Writes the bytes of the tokens, one after another. Refusals, in this order, writing nothing:
    /// 1. Some id outside [0, V): id_out_of_range(i, ids[i], V) for the first.
    /// 2. out.size() != decoded_size(ids): Code::shape_mismatch.
    virtual Status decode(Ids ids, std::span<std::uint8_t> out) const = 0;
};

} // namespace contract

namespace exercise {
using namespace contract;

/// The ends of the pieces that GPT-2 cuts a text into; no merge reaches from one piece into another. Every
/// byte is in one piece, none is empty, and an empty text has none. At each place the first of these that
/// fits is the next piece, as long as it can be, with characters and their classes from common/unicode.h:
///
/// 1. one of  's  't  're  've  'm  'll  'd
/// 2. a space or nothing, and letters
/// 3. a space or nothing, and numbers
/// 4. a space or nothing, and characters that are neither letters, numbers nor white space
/// 5. white space, except its last character where something else follows and it has more than one
///
/// A space is U+0020. 2 to 4 have at least one character besides the space. (In 5, a single character of
/// white space is a piece; GPT-2 says all this as a regular expression.)
std::vector<std::size_t> split(Bytes text);

/// The merges that shorten the pieces of a text most, one after another, M of them, or fewer if no piece
/// has two tokens any more. Each piece begins as its bytes. The next merge is the pair of neighbours that
/// comes most often, over all pieces and counting every place (aaa has two places of aa); of several pairs
/// the one with the smallest left token, and of these the one with the smallest right token. It is then made
/// in every piece, from left to right: aaa becomes the new token and a.
std::vector<Merge> train(Bytes text, std::size_t merges);

/// Whether a tokenizer can be made. The special tokens are the parts of `specials` that `ends` bounds. The
/// caller promises that no end is less than the one before it, that the last is specials.size(), that
/// `specials` is empty where there are no ends, and that all tokens together have at most 2^26 bytes.
/// Refusals, in this order:
/// 1. A merge of a token that is not there yet: id_out_of_range(2 * r, left, 256 + r) or
///    id_out_of_range(2 * r + 1, right, 256 + r), for the first.
/// 2. A merge that came before: Status{Code::invalid_argument, r} for the first such r.
/// 3. A special token that is empty, or equal to one before it among them: Status{Code::invalid_argument,
///    M + s} for the first. One may well have the bytes of a token that is none of them.
Status validate(std::span<const Merge> merges, Bytes specials, Ends ends);

/// A tokenizer, or a null pointer where `validate` refuses. Tokenizers have nothing in common.
std::unique_ptr<Tokenizer> make(std::span<const Merge> merges, Bytes specials, Ends ends);

// The methods as functions, for the judge. They are written already.
[[gnu::used]] inline std::size_t vocabulary(const Tokenizer& tokenizer) {
    return tokenizer.vocabulary();
}
[[gnu::used]] inline std::vector<TokenId> encode_text(const Tokenizer& tokenizer, Bytes text) {
    return tokenizer.encode(text);
}
[[gnu::used]] inline std::size_t decoded_size(const Tokenizer& tokenizer, Ids ids) {
    return tokenizer.decoded_size(ids);
}
[[gnu::used]] inline Status decode_ids(const Tokenizer& tokenizer, Ids ids, std::span<std::uint8_t> out) {
    return tokenizer.decode(ids, out);
}

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(split)                                                                                              \
    CALL(train)                                                                                              \
    CALL(validate)                                                                                           \
    CALL(make)                                                                                               \
    CALL(vocabulary)                                                                                         \
    CALL(encode_text)                                                                                        \
    CALL(decoded_size)                                                                                       \
    CALL(decode_ids)

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

/// Ends of consecutive parts: part p reaches from the end of part p - 1, or from 0, to `ends[p]`.
using Ends = std::span<const std::size_t>;

/// Two tokens that become one. Merge number r, counted from 0, makes token 256 + r; r is its rank.
struct Merge {
    TokenId left = 0;
    TokenId right = 0;

    bool operator==(const Merge&) const = default;
};

/// Turns bytes into tokens and back:
///
///     token b < 256        the byte b
///     token 256 + r        the two tokens of merge r
///     token 256 + M + s    the special token s
class Tokenizer {
  public:
    virtual ~Tokenizer() = default;

    virtual std::size_t vocabulary() const = 0; ///< V

    /// The tokens of any bytes, so that decode gives the same bytes again:
    ///
    /// 1. Cut out the special tokens, from the left: at the first place where one begins, the longest.
    /// 2. Split each stretch between them as a separate text.
    /// 3. Each piece begins as its bytes. While two neighbours are a merge, make the one of lowest rank, of
    ///    several places the first.
    ///
    /// A piece may be a megabyte long: do not search all of it for each merge.
    virtual std::vector<TokenId> encode(Bytes text) const = 0;

    /// Number of bytes of all tokens together; a token outside [0, V) has none.
    virtual std::size_t decoded_size(Ids ids) const = 0;

    /// Writes the bytes of the tokens, one after another. Refusals, in this order, writing nothing:
    ///
    ///     1. Status::id_out_of_range(i, ids[i], V)    the first id outside [0, V)
    ///     2. Status{Code::shape_mismatch}             out.size() != decoded_size(ids)
    virtual Status decode(Ids ids, std::span<std::uint8_t> out) const = 0;
};

} // namespace contract

namespace exercise {
using namespace contract;

/// The ends of the pieces of a text; no merge crosses them. Every byte is in one piece; none is empty. Each
/// piece is as long as possible by the first rule that fits (characters as in common/unicode.h):
///
///     1. one of  's  't  're  've  'm  'll  'd
///     2. a space (U+0020) or nothing, and one or more letters
///     3. a space or nothing, and one or more numbers
///     4. a space or nothing, and one or more characters that are not letters, numbers or white space
///     5. white space; if more than one character and something else follows, without the last character
///
/// Example: `It's  5 o'clock` has the pieces
///
///     "It"   "'s"   " "   " 5"   " o"   "'"   "clock"
std::vector<std::size_t> split(Bytes text);

/// Learns at most M merges, fewer if no piece has two tokens any more. Each piece begins as its bytes. The
/// next merge is the most frequent pair of neighbours, over all pieces and all places (aaa has two places of
/// aa); of equally frequent ones that with the smallest left token, then the smallest right token. It is made
/// at once in every piece, from left to right: aaa becomes the new token and a.
std::vector<Merge> train(Bytes text, std::size_t merges);

/// Whether a tokenizer can be made. `ends` cuts `specials` into the special tokens. The caller promises ends
/// that never decrease and reach specials.size(). Refusals, in this order, each for the first such merge or
/// token:
///
///     1. Status::id_out_of_range(2 * r, left, 256 + r)          a merge of a token that does not exist yet
///        Status::id_out_of_range(2 * r + 1, right, 256 + r)
///     2. Status{Code::invalid_argument, r}                      merge r came before
///     3. Status{Code::invalid_argument, M + s}                  special token s is empty or came before
Status validate(std::span<const Merge> merges, Bytes specials, Ends ends);

/// A tokenizer, or a null pointer if `validate` refuses. Tokenizers share nothing.
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

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.

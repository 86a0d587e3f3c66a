#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace reader {

enum class TokenKind {
    identifier, ///< and keywords
    number,
    text, ///< string or character literal, raw ones and prefixes included
    punctuation,
    blank, ///< white space, comments, continued lines
};

/// A piece of C++ source. Tokens in order, put together, are the source.
struct Token {
    TokenKind kind{};
    std::string_view text;
    int line = 0;
    bool directive = false; ///< part of a preprocessor line

    bool is(std::string_view wanted) const { return text == wanted && kind != TokenKind::text; }
};

/// Splits C++ and CUDA source. `<<<` is one token, `>` always stands alone, since only the context can tell a
/// closing template list from an operator. What is not closed ends with the source.
std::vector<Token> tokenize(std::string_view source);

} // namespace reader

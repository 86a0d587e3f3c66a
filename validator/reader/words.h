#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace reader {

/// A token that means something, with what its surroundings say about it.
struct Word {
    std::string_view text;
    std::size_t offset = 0;
    int line = 0;
    bool identifier = false; ///< and keywords
    bool number = false;
    bool in_function = false;    ///< within the braces of some function's body
    bool template_angle = false; ///< a `<` or `>` around template arguments, as far as tokens can tell
    bool ends_function = false;  ///< the `}` of a function's body
    std::size_t partner = 0;     ///< of a bracket or template angle: the index of the other one; else 0

    std::size_t end() const { return offset + text.size(); }
};

/// The tokens of a source but for blanks, comments and preprocessor lines. Operators of several characters
/// are one token.
std::vector<Word> read_words(std::string_view source);

} // namespace reader

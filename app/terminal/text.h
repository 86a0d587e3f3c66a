#pragma once

#include <string>
#include <string_view>

/// UTF-8 as a terminal shows it.
namespace terminal {

struct CodePoint {
    char32_t value = 0;
    std::size_t bytes = 0; ///< how many were read; at least 1
};

/// The first code point of a text that is not empty; U+FFFD for bytes that are not UTF-8.
CodePoint first_code_point(std::string_view text);

/// U+FFFD where the value is no character.
std::string to_utf8(char32_t value);

/// Columns that a terminal uses: 2 for wide characters, 0 for combining ones.
int display_width(char32_t value);
int display_width(std::string_view text);

/// Safe to print: without control characters but for line ends, without characters that reorder text, always
/// valid UTF-8. Tabs become blanks up to the next multiple of four. Where `unicode` is false, all of it
/// becomes ASCII.
std::string cleaned(std::string_view text, bool unicode);

/// At most `columns` columns, with "..." at the end where something was cut.
std::string shortened(std::string_view text, int columns);

} // namespace terminal

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Reading and measuring UTF-8 that may be broken.
namespace report {

inline constexpr char32_t replacement = 0xFFFD;

struct Character {
    char32_t code = replacement; ///< U+FFFD where the bytes are not UTF-8
    std::size_t size = 1;        ///< bytes taken from the text, at least 1
};

/// The first character of `text`, which must not be empty. Broken bytes are taken as Unicode 15, section 3.9
/// ("maximal subparts") advises, so that each mistake costs one U+FFFD and no byte of the next character.
Character first_character(std::string_view text);

void append(std::string& text, char32_t code);

/// Columns a terminal uses for valid UTF-8 without control characters: two for East Asian wide characters and
/// emoji, none for combining marks.
std::size_t columns(std::string_view text);

/// Bytes at the start of `text` that fit into `width` columns.
std::size_t bytes_within(std::string_view text, std::size_t width);

/// Whether a reader would not see the character for what it is: controls, line separators, bidi overrides,
/// zero widths, tags, noncharacters.
bool deceives(char32_t code);

} // namespace report

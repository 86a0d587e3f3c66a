#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Reading and writing UTF-8 that may be ill-formed.
namespace text {

inline constexpr char32_t replacement = 0xFFFD;

struct Character {
    char32_t code = replacement;
    std::size_t size = 1;     ///< bytes taken from the text, at least 1
    bool well_formed = false; ///< where it is not, `code` is U+FFFD
};

/// The first character of `text`, which must not be empty. Ill-formed bytes are taken as the Unicode Standard
/// recommends (section 3.9, "U+FFFD Substitution of Maximal Subparts"): each fault costs one U+FFFD and no
/// byte of the next character.
Character first_character(std::string_view text);

/// Appends U+FFFD for a surrogate and for a value above U+10FFFF.
void append(std::string& text, char32_t code);

/// Byte offset of the first fault.
std::optional<std::size_t> first_ill_formed(std::string_view text);

/// `text` with U+FFFD for each fault.
std::string repaired(std::string_view text);

/// As much of the beginning of `text` as is at most `bytes` long and ends between two characters.
std::string_view prefix(std::string_view text, std::size_t bytes);

} // namespace text

#pragma once

#include "common/unicode_ranges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

namespace contract {

/// What a character is, for the splitting of text: letter (L), number (N), white space, or other. The version
/// of Unicode is in `unicode_version`.
inline CharClass class_of(char32_t code) {
    const auto* range = std::upper_bound(std::begin(unicode_ranges), std::end(unicode_ranges), code,
                                         [](char32_t c, const CharRange& each) { return c < each.first; });
    if (range == std::begin(unicode_ranges) || code > std::prev(range)->last) return CharClass::other;
    return std::prev(range)->kind;
}

/// One character of a text in UTF-8.
struct Char {
    CharClass kind = CharClass::other;
    std::size_t bytes = 0; ///< how many it takes; 0 at the end of the text
};

/// The character that begins at `text[at]`. A byte that begins no character of well-formed UTF-8 (Unicode,
/// table 3-7) is one of its own, of kind `other`.
inline Char char_at(std::span<const std::uint8_t> text, std::size_t at) {
    if (at >= text.size()) return {};
    const std::uint8_t lead = text[at];
    if (lead < 0x80) return {class_of(lead), 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() - at < bytes) return {CharClass::other, 1};
    char32_t code = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if (text[at + i] >> 6 != 2) return {CharClass::other, 1};
        code = code << 6 | (text[at + i] & 0x3FU);
    }
    const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (overlong || surrogate || code > 0x10FFFF) return {CharClass::other, 1};
    return {class_of(code), bytes};
}

} // namespace contract

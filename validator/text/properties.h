#pragma once

#include <utf8proc.h>

/// Properties of code points that only this folder needs.
namespace text {

inline int boundary_class(char32_t code) {
    return utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->boundclass;
}

/// Emoji, and the symbols that may become one.
inline bool is_pictographic(char32_t code) {
    return boundary_class(code) == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

inline constexpr char32_t joiner = 0x200D;
inline constexpr char32_t text_style = 0xFE0E;  ///< variation selector: shown as text
inline constexpr char32_t emoji_style = 0xFE0F; ///< variation selector: shown as emoji
inline constexpr char32_t keycap = 0x20E3;

} // namespace text

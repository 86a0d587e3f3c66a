#include "text/clean.h"

#include "text/ascii.h"
#include "text/properties.h"
#include "text/utf8.h"
#include "text/width.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace text {
namespace {

struct Range {
    char32_t first;
    char32_t last;
};

/// Default_Ignorable_Code_Point where nothing is assigned yet (DerivedCoreProperties), of which utf8proc
/// knows nothing.
constexpr std::array<Range, 3> reserved_invisible{{{0x2065, 0x2065}, {0xFFF0, 0xFFF8}, {0xE0000, 0xE0FFF}}};

bool is_noncharacter(char32_t code) {
    return (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
}

std::string name_of(char32_t code) {
    if (code == '\n') return "\\n";
    if (code == '\t') return "\\t";
    if (code == '\r') return "\\r";
    const auto number = static_cast<std::uint32_t>(code);
    if (code < 0x80) return fmt::format("\\x{:02x}", number);
    return code < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

std::optional<char32_t> first_code(std::string_view text) {
    if (text.empty()) return std::nullopt;
    return first_character(text).code;
}

bool is_skin_tone(char32_t code) {
    return code >= 0x1F3FB && code <= 0x1F3FF;
}

/// Follows a text and knows where the invisible parts of an emoji are in their place.
class Emoji {
  public:
    /// Whether `code`, followed by `next`, belongs to the emoji that the text has come to.
    bool expects(char32_t code, std::optional<char32_t> next) const {
        if (code == joiner) return inside_ && next && is_pictographic(*next);
        if (code != text_style && code != emoji_style) return false;
        return is_pictographic(before_) || (may_be_keycap(before_) && next == keycap);
    }

    void pass(char32_t code) {
        inside_ = is_pictographic(code) || (inside_ && (code == emoji_style || is_skin_tone(code)));
        before_ = code;
    }

  private:
    static bool may_be_keycap(char32_t code) {
        return (code >= '0' && code <= '9') || code == '#' || code == '*';
    }

    char32_t before_ = 0;
    bool inside_ = false;
};

void append_in_ascii(std::string& out, char32_t code) {
    const std::string_view spelling = ascii_spelling(code);
    out += spelling.empty() ? name_of(code) : std::string(spelling);
}

} // namespace

bool deceives(char32_t code) {
    if (code >= 0x20 && code < 0x7F) return false;
    const auto* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
    switch (property->category) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return true;
    case UTF8PROC_CATEGORY_CF: // but for the Arabic signs that are drawn around a number
        return property->boundclass != UTF8PROC_BOUNDCLASS_PREPEND;
    default: break;
    }
    constexpr char32_t empty_braille = 0x2800;
    return property->ignorable || code == empty_braille || is_noncharacter(code) ||
           std::ranges::any_of(reserved_invisible,
                               [code](Range range) { return range.first <= code && code <= range.last; });
}

std::string with_plain_line_ends(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') out += text[i];
    return out;
}

std::string cleaned(std::string_view text, Lines lines, Charset charset) {
    std::string out;
    out.reserve(text.size());
    Emoji emoji;
    while (!text.empty()) {
        const Character character = first_character(text);
        const char32_t code = character.code;
        text.remove_prefix(character.size);
        const bool layout = (code == '\n' || code == '\t') && lines == Lines::keep;
        const bool honest = layout || !deceives(code) || emoji.expects(code, first_code(text));
        if (!honest)
            out += name_of(code);
        else if (charset == Charset::unicode || code < 0x80)
            append(out, code);
        else
            append_in_ascii(out, code);
        emoji.pass(honest ? code : 0);
    }
    return out;
}

std::string printable(std::string_view text, Charset charset) {
    return without_tabs(cleaned(with_plain_line_ends(text), Lines::keep, charset));
}

} // namespace text

#include "text/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace text {
namespace {

/// How a sequence of three or four bytes may begin: a row of the standard's table 3-7.
struct Beginning {
    unsigned first_lead, last_lead;
    unsigned lowest_second, highest_second;
    std::size_t length;
};
constexpr std::array<Beginning, 7> beginnings{{{0xE0, 0xE0, 0xA0, 0xBF, 3},
                                               {0xE1, 0xEC, 0x80, 0xBF, 3},
                                               {0xED, 0xED, 0x80, 0x9F, 3},
                                               {0xEE, 0xEF, 0x80, 0xBF, 3},
                                               {0xF0, 0xF0, 0x90, 0xBF, 4},
                                               {0xF1, 0xF3, 0x80, 0xBF, 4},
                                               {0xF4, 0xF4, 0x80, 0x8F, 4}}};

/// Bytes of the ill-formed `text` that begin a well-formed sequence without finishing it; else 1.
std::size_t maximal_subpart(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto row = std::ranges::find_if(beginnings, [lead = byte(0)](const Beginning& candidate) {
        return candidate.first_lead <= lead && lead <= candidate.last_lead;
    });
    if (row == beginnings.end() || text.size() < 2) return 1;
    if (byte(1) < row->lowest_second || byte(1) > row->highest_second) return 1;
    const bool third = row->length == 4 && text.size() > 2 && (byte(2) & 0xC0) == 0x80;
    return third ? 3 : 2;
}

} // namespace

Character first_character(std::string_view text) {
    utf8proc_int32_t code = 0;
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    const auto size =
        utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(std::min<std::size_t>(text.size(), 4)), &code);
    if (size <= 0) return {replacement, maximal_subpart(text), false};
    return {static_cast<char32_t>(code), static_cast<std::size_t>(size), true};
}

void append(std::string& text, char32_t code) {
    auto value = static_cast<utf8proc_int32_t>(code);
    if (utf8proc_codepoint_valid(value) == 0) value = static_cast<utf8proc_int32_t>(replacement);
    std::array<utf8proc_uint8_t, 4> bytes{};
    const auto size = utf8proc_encode_char(value, bytes.data());
    text.append(bytes.begin(), bytes.begin() + size);
}

std::optional<std::size_t> first_ill_formed(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Character character = first_character(text.substr(at));
        if (!character.well_formed) return at;
        at += character.size;
    }
    return std::nullopt;
}

std::string repaired(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Character character = first_character(text);
        append(out, character.code);
        text.remove_prefix(character.size);
    }
    return out;
}

std::string_view prefix(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    // A byte that continues nothing begins a character, well-formed or not.
    std::size_t end = bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    while (true) {
        const std::size_t size = first_character(text.substr(end)).size;
        if (end + size > bytes) return text.substr(0, end);
        end += size;
    }
}

} // namespace text

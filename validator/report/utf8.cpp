#include "report/utf8.h"

#include <algorithm>
#include <array>

namespace report {
namespace {

struct Range {
    char32_t first;
    char32_t last;
};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t code) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [code](Range range) { return range.first <= code && code <= range.last; });
}

// Unicode's East_Asian_Width W and F, in blocks.
constexpr std::array<Range, 12> wide{{{0x1100, 0x115F},
                                      {0x2E80, 0x303E},
                                      {0x3041, 0xA4CF},
                                      {0xA960, 0xA97C},
                                      {0xAC00, 0xD7A3},
                                      {0xF900, 0xFAFF},
                                      {0xFE30, 0xFE6F},
                                      {0xFF00, 0xFF60},
                                      {0xFFE0, 0xFFE6},
                                      {0x1F300, 0x1F64F},
                                      {0x1F680, 0x1FAFF},
                                      {0x20000, 0x3FFFD}}};

constexpr std::array<Range, 6> combining{{{0x0300, 0x036F},
                                          {0x0483, 0x0489},
                                          {0x0591, 0x05BD},
                                          {0x1AB0, 0x1AFF},
                                          {0x20D0, 0x20FF},
                                          {0xFE00, 0xFE0F}}};

constexpr std::array<Range, 19> deceiving{{{0x00, 0x1F},
                                           {0x7F, 0x9F},
                                           {0xAD, 0xAD},
                                           {0x61C, 0x61C},
                                           {0x115F, 0x1160},
                                           {0x17B4, 0x17B5},
                                           {0x180B, 0x180F},
                                           {0x200B, 0x200F},
                                           {0x2028, 0x202E},
                                           {0x2060, 0x206F},
                                           {0x2800, 0x2800},
                                           {0x3164, 0x3164},
                                           {0xD800, 0xDFFF},
                                           {0xFDD0, 0xFDEF},
                                           {0xFEFF, 0xFEFF},
                                           {0xFFA0, 0xFFA0},
                                           {0xFFF0, 0xFFFB},
                                           {0x1D173, 0x1D17A},
                                           {0xE0000, 0xE0FFF}}};

std::size_t columns(char32_t code) {
    if (within(combining, code)) return 0;
    return within(wide, code) ? 2 : 1;
}

} // namespace

Character first_character(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {lead, 1};

    // The second byte has a narrower range after some leads: no overlong forms, no surrogates, nothing above
    // U+10FFFF.
    std::size_t length = 0;
    unsigned low = 0x80, high = 0xBF;
    char32_t code = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
        code = lead & 0x1F;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        code = lead & 0x0F;
        if (lead == 0xE0) low = 0xA0;
        if (lead == 0xED) high = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        code = lead & 0x07;
        if (lead == 0xF0) low = 0x90;
        if (lead == 0xF4) high = 0x8F;
    } else {
        return {replacement, 1};
    }
    for (std::size_t i = 1; i < length; ++i) {
        if (i >= text.size() || byte(i) < low || byte(i) > high) return {replacement, i};
        code = (code << 6) | (byte(i) & 0x3F);
        low = 0x80;
        high = 0xBF;
    }
    return {code, length};
}

void append(std::string& text, char32_t code) {
    const auto put = [&text](char32_t byte) { text += static_cast<char>(byte); };
    const auto tail = [code](int shift) { return 0x80 | ((code >> shift) & 0x3F); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | (code >> 6));
        put(tail(0));
    } else if (code < 0x10000) {
        put(0xE0 | (code >> 12));
        put(tail(6));
        put(tail(0));
    } else {
        put(0xF0 | (code >> 18));
        put(tail(12));
        put(tail(6));
        put(tail(0));
    }
}

std::size_t columns(std::string_view text) {
    std::size_t sum = 0;
    while (!text.empty()) {
        const Character character = first_character(text);
        sum += columns(character.code);
        text.remove_prefix(character.size);
    }
    return sum;
}

std::size_t bytes_within(std::string_view text, std::size_t width) {
    std::size_t bytes = 0, used = 0;
    while (bytes < text.size()) {
        const Character character = first_character(text.substr(bytes));
        used += columns(character.code);
        if (used > width) break;
        bytes += character.size;
    }
    return bytes;
}

bool deceives(char32_t code) {
    return within(deceiving, code) || (code & 0xFFFE) == 0xFFFE;
}

} // namespace report

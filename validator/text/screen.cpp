#include "text/screen.h"

#include <algorithm>
#include <array>

namespace text {
namespace {

constexpr char escape = '\x1b';

/// More than any sequence that is passed on has.
constexpr std::size_t longest_sequence = 64;

/// Cursor movement, erasing, inserting, deleting, scrolling, colours.
constexpr std::string_view finals = "@ABCDEFGHJKLMPSTXdefmr";

/// Inserting, cursor keys, wrapping, the cursor (blinking, shown), meta key, other screen, bracketed paste.
constexpr std::array<std::string_view, 8> modes{"4", "?1", "?7", "?12", "?25", "?1034", "?1049", "?2004"};

bool is_on_at_first(std::string_view mode) {
    return mode == "?7" || mode == "?25";
}

bool is_parameter(char letter) {
    return letter >= '0' && letter <= '?';
}

/// Bells, backspaces, tabs, line ends, and the shifts to the set of lines and back act as they always do.
bool is_harmless_control(char letter) {
    return std::string_view("\n\r\t\b\a\x0e\x0f").find(letter) != std::string_view::npos;
}

std::string name_of(unsigned char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

/// Of the UTF-8 character that begins with this byte; 1 if none does.
std::size_t length_of(unsigned char first) {
    if (first >= 0xF0 && first < 0xF8) return 4;
    if (first >= 0xE0 && first < 0xF0) return 3;
    return first >= 0xC0 && first < 0xE0 ? 2 : 1;
}

bool is_continued(std::string_view character) {
    return std::ranges::all_of(character.substr(1),
                               [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; });
}

/// A character, or a byte that is none.
std::size_t pass_character(std::string_view rest, std::string& out) {
    const auto first = static_cast<unsigned char>(rest[0]);
    const std::size_t length = length_of(first);
    const std::string_view character = rest.substr(0, length);
    if (length > rest.size() && is_continued(character)) return 0;
    // The controls above 0x7f: a terminal may know them as a byte, and as a character of two.
    const bool is_control =
        first < 0x20 || first == 0x7F || (length == 1 && first >= 0x80) ||
        (first == 0xC2 && character.size() == 2 && static_cast<unsigned char>(character[1]) < 0xA0);
    if (character.size() < length || !is_continued(character) ||
        (is_control && !is_harmless_control(rest[0]))) {
        out += name_of(first);
        return 1;
    }
    out += character;
    return length;
}

std::size_t show(std::string_view rest, std::string& out) {
    out += name_of(static_cast<unsigned char>(rest[0]));
    return 1;
}

} // namespace

std::size_t Screen::pass_control(std::string_view rest, std::string& out) {
    std::size_t end = 2;
    while (end < rest.size() && is_parameter(rest[end]))
        ++end;
    if (end >= longest_sequence) return show(rest, out);
    if (end == rest.size()) return 0;
    const std::string_view parameters = rest.substr(2, end - 2);
    const char final = rest[end];
    if (final == 'h' || final == 'l') {
        if (std::ranges::find(modes, parameters) == modes.end()) return show(rest, out);
        if ((final == 'h') == is_on_at_first(parameters))
            changed_.erase(std::string(parameters));
        else
            changed_.emplace(parameters);
    } else if (parameters.find_first_of("<=>?") != std::string_view::npos ||
               finals.find(final) == std::string_view::npos) {
        return show(rest, out);
    }
    out += rest.substr(0, end + 1);
    acted_ = true;
    return end + 1;
}

std::size_t Screen::pass_escape(std::string_view rest, std::string& out) {
    if (rest.size() == 1) return 0;
    if (rest[1] == '[') return pass_control(rest, out);
    // The sets of letters and lines; the keypad, keeping the cursor, one line up.
    const bool chooses_set = rest[1] == '(' || rest[1] == ')';
    if (chooses_set && rest.size() == 2) return 0;
    const std::size_t length = chooses_set ? 3 : 2;
    const std::string_view allowed = chooses_set ? "B0" : "=>78M";
    if (allowed.find(rest[length - 1]) == std::string_view::npos) return show(rest, out);
    out += rest.substr(0, length);
    acted_ = true;
    return length;
}

std::string Screen::passed(std::string_view bytes) {
    waiting_ += bytes;
    std::string out;
    std::string_view rest = waiting_;
    while (!rest.empty()) {
        const std::size_t done = rest[0] == escape ? pass_escape(rest, out) : pass_character(rest, out);
        if (done == 0) break;
        rest.remove_prefix(done);
    }
    waiting_ = std::string(rest);
    return out;
}

std::string Screen::ending() {
    std::string out;
    for (std::string_view rest = waiting_; !rest.empty(); rest.remove_prefix(1))
        rest[0] >= ' ' && rest[0] < '\x7F' ? out += rest[0]
                                           : out += name_of(static_cast<unsigned char>(rest[0]));
    waiting_.clear();
    for (const std::string& mode : changed_)
        out += "\x1b[" + mode + (is_on_at_first(mode) ? "h" : "l");
    changed_.clear();
    return acted_ ? out + "\x0f\x1b(B\x1b[m" : out;
}

} // namespace text

#pragma once

#include <string>
#include <string_view>

/// Text from outside (a learner's program, a compiler, a file) made safe to show. Nothing vanishes: what
/// cannot be seen for what it is appears by the name that C++ gives it.
///
/// | in the text | shown as |
/// |---|---|
/// | ill-formed UTF-8 | U+FFFD, one for each maximal subpart |
/// | controls (C0, DEL, C1), CR | `\x1b`, `\u009b`, `\r` |
/// | format characters: bidi controls, zero widths, soft hyphen, tags | `\u202e`, `\u200b`, `\U000e0041` |
/// | line and paragraph separators, blank letters (U+3164, U+2800), noncharacters | by name |
/// | code points reserved for invisible characters | by name |
/// | joiner and variation selector inside an emoji | as they are; anywhere else by name |
/// | everything else, private and unassigned code points too | as it is |
namespace text {

enum class Lines {
    keep, ///< line ends and tabs stay
    show, ///< they appear as \n and \t: for text that must stay on one line
};

enum class Charset { unicode, ascii };

constexpr Charset charset(bool unicode) {
    return unicode ? Charset::unicode : Charset::ascii;
}

/// Whether a reader would not see the character for what it is.
bool deceives(char32_t code);

/// With LF for each CR LF; a lone CR stays.
std::string with_plain_line_ends(std::string_view text);

/// With Charset::ascii what is not ASCII appears in the usual spelling ("<=", "pi") or else by name
/// (`\u00e9`).
std::string cleaned(std::string_view text, Lines lines, Charset charset = Charset::unicode);

/// Cleaned, with plain line ends kept and tabs expanded: what a terminal may be sent.
std::string printable(std::string_view text, Charset charset = Charset::unicode);

} // namespace text

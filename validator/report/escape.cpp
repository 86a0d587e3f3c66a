#include "report/escape.h"

#include "report/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace report {
namespace {

std::string named(char32_t code) {
    if (code == '\n') return "\\n";
    if (code == '\t') return "\\t";
    if (code == '\r') return "\\r";
    const auto number = static_cast<std::uint32_t>(code);
    if (code < 0x80) return fmt::format("\\x{:02x}", number);
    return code < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

/// Walks over the characters that are kept, then over the tail; `put(out, code)` appends one of them.
template <class Put>
std::string translate(std::string_view text, std::size_t limit, Put put) {
    std::string out;
    out.reserve(std::min(text.size(), limit) + 16);
    std::size_t at = 0;
    while (at < text.size()) {
        const Character character = first_character(text.substr(at));
        if (at + character.size > limit) break;
        put(out, character.code);
        at += character.size;
    }
    if (at < text.size()) {
        const std::size_t left = text.size() - at;
        const std::string words = fmt::format("… ({} more byte{})", left, left == 1 ? "" : "s");
        for (std::string_view tail = words; !tail.empty(); tail.remove_prefix(first_character(tail).size))
            put(out, first_character(tail).code);
    }
    return out;
}

/// The same, with what deceives shown; `put` sees only honest characters (and line ends and tabs, if kept).
template <class Put>
std::string translate_visibly(std::string_view text, std::size_t limit, Lines lines, Put put) {
    return translate(text, limit, [lines, &put](std::string& out, char32_t code) {
        const bool layout = code == '\n' || code == '\t';
        if (layout && lines == Lines::keep) return put(out, code);
        if (!deceives(code)) return put(out, code);
        for (const char letter : named(code))
            put(out, static_cast<char32_t>(letter));
    });
}

/// CR LF is a line end; a lone CR stays, and is then shown.
std::string with_plain_line_ends(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') out += text[i];
    return out;
}

void append_ascii(std::string& out, char32_t code) {
    switch (code) {
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2212: out += '-'; return;
    case 0x2018:
    case 0x2019: out += '\''; return;
    case 0x201C:
    case 0x201D: out += '"'; return;
    case 0x2026: out += "..."; return;
    case 0x2192: out += "->"; return;
    case 0x2264: out += "<="; return;
    case 0x2265: out += ">="; return;
    case 0x00A0:
    case 0x202F: out += ' '; return;
    case 0x00D7: out += 'x'; return;
    case 0x00B5: out += 'u'; return;
    case replacement: out += '?'; return;
    default: break;
    }
    if (code < 0x80)
        append(out, code);
    else
        out += named(code);
}

void append_html(std::string& out, char32_t code) {
    switch (code) {
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '&': out += "&amp;"; break;
    case '"': out += "&quot;"; break;
    case '\'': out += "&#39;"; break;
    default: append(out, code);
    }
}

bool is_markup(std::string_view before, char32_t code) {
    constexpr std::string_view markup = "\\`*_[]<>#|~&@:$";
    if (code >= 0x80) return false;
    if (code == '.') return before.ends_with("www"); // GitHub makes a link of it
    return markup.find(static_cast<char>(code)) != std::string_view::npos;
}

/// "##[" opens a workflow command of the older form anywhere in a line.
void append_logged(std::string& out, char32_t code) {
    if (code == '[' && out.ends_with("##")) out += '\\';
    append(out, code);
}

std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char letter : text)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    return hash;
}

} // namespace

std::string repaired(std::string_view text, std::size_t limit) {
    return translate(text, limit, [](std::string& out, char32_t code) { append(out, code); });
}

std::string terminal(std::string_view text, std::size_t limit, Lines lines, Charset charset) {
    return translate_visibly(with_plain_line_ends(text), limit, lines, [=](std::string& out, char32_t code) {
        charset == Charset::ascii ? append_ascii(out, code) : append(out, code);
    });
}

std::string xml(std::string_view text, std::size_t limit, Lines lines) {
    return translate_visibly(with_plain_line_ends(text), limit, lines, append_html);
}

std::string html(std::string_view text, std::size_t limit) {
    return translate_visibly(with_plain_line_ends(text), limit, Lines::show, append_html);
}

std::string markdown(std::string_view text, std::size_t limit) {
    // An entity, unlike a backslash, also works inside a table cell and breaks automatic links.
    return translate_visibly(
        with_plain_line_ends(text), limit, Lines::show, [](std::string& out, char32_t code) {
            if (is_markup(out, code))
                fmt::format_to(std::back_inserter(out), "&#{};", static_cast<std::uint32_t>(code));
            else
                append(out, code);
        });
}

std::string markdown_block(std::string_view text, std::size_t limit) {
    std::string body = terminal(text, limit, Lines::keep);
    std::size_t longest = 0, run = 0;
    for (const char letter : body) {
        run = letter == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
    if (!body.empty() && body.back() != '\n') body += '\n';
    return fence + "text\n" + body + fence + "\n";
}

std::string command_message(std::string_view text, std::size_t limit) {
    return translate_visibly(with_plain_line_ends(text), limit, Lines::keep,
                             [](std::string& out, char32_t code) {
                                 switch (code) {
                                 case '%': out += "%25"; break;
                                 case '\n': out += "%0A"; break;
                                 default: append_logged(out, code);
                                 }
                             });
}

std::string command_property(std::string_view text, std::size_t limit) {
    return translate_visibly(with_plain_line_ends(text), limit, Lines::show,
                             [](std::string& out, char32_t code) {
                                 switch (code) {
                                 case '%': out += "%25"; break;
                                 case ':': out += "%3A"; break;
                                 case ',': out += "%2C"; break;
                                 default: append_logged(out, code);
                                 }
                             });
}

std::string command_quote(std::string_view text, std::size_t limit) {
    const std::string body =
        translate_visibly(with_plain_line_ends(text), limit, Lines::keep,
                          [](std::string& out, char32_t code) { append_logged(out, code); });
    // Computed, not drawn: the same judgement gives the same text. A token that the text does not hold cannot
    // end it.
    std::uint64_t number = fnv1a(body);
    while (body.find(fmt::format("{:020}", number)) != std::string::npos)
        ++number;

    std::string quoted;
    std::string_view rest = body;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        quoted += fmt::format("| {}\n", rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return fmt::format("::stop-commands::{0:020}\n{1}::{0:020}::\n", number, quoted);
}

} // namespace report

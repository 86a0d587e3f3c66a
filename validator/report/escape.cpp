#include "report/escape.h"

#include "text/markup.h"
#include "text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace report {
namespace {

/// The bytes that are kept, and how many are not.
std::string bounded(std::string_view text, std::size_t limit) {
    const std::string_view kept = text::prefix(text, limit);
    const std::size_t left = text.size() - kept.size();
    if (left == 0) return std::string(kept);
    return fmt::format("{}… ({} more byte{})", kept, left, left == 1 ? "" : "s");
}

/// Cleaned and bounded; what a format could misread is ASCII, so `put(out, letter)` sees one byte at a time.
template <class Put>
std::string translate(std::string_view text, std::size_t limit, Lines lines, Put put) {
    std::string out;
    for (const char letter : text::cleaned(bounded(text::with_plain_line_ends(text), limit), lines))
        put(out, letter);
    return out;
}

bool is_markup(std::string_view before, char letter) {
    constexpr std::string_view markup = "\\`*_[]<>#|~&@:$";
    if (letter == '.') return before.ends_with("www"); // GitHub makes a link of it
    return markup.find(letter) != std::string_view::npos;
}

/// "##[" opens a workflow command of the older form anywhere in a line.
void append_logged(std::string& out, char letter) {
    if (letter == '[' && out.ends_with("##")) out += '\\';
    out += letter;
}

std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char letter : text)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    return hash;
}

} // namespace

std::string repaired(std::string_view text, std::size_t limit) {
    return text::repaired(bounded(text, limit));
}

std::string terminal(std::string_view text, std::size_t limit, Lines lines, Charset charset) {
    return text::cleaned(bounded(text::with_plain_line_ends(text), limit), lines, charset);
}

std::string xml(std::string_view text, std::size_t limit, Lines lines) {
    return translate(text, limit, lines, text::append_markup);
}

std::string html(std::string_view text, std::size_t limit) {
    return translate(text, limit, Lines::show, text::append_markup);
}

std::string markdown(std::string_view text, std::size_t limit) {
    // An entity, unlike a backslash, also works inside a table cell and breaks automatic links.
    return translate(text, limit, Lines::show, [](std::string& out, char letter) {
        if (is_markup(out, letter))
            out += fmt::format("&#{};", static_cast<int>(letter));
        else
            out += letter;
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

std::string command_data(std::string_view text, std::size_t limit, Lines lines) {
    return translate(text, limit, lines, [](std::string& out, char letter) {
        switch (letter) {
        case '%': out += "%25"; break;
        case '\n': out += "%0A"; break;
        default: append_logged(out, letter);
        }
    });
}

std::string command_property(std::string_view text, std::size_t limit) {
    return translate(text, limit, Lines::show, [](std::string& out, char letter) {
        switch (letter) {
        case '%': out += "%25"; break;
        case ':': out += "%3A"; break;
        case ',': out += "%2C"; break;
        default: append_logged(out, letter);
        }
    });
}

std::string command_quote(std::string_view text, std::size_t limit) {
    const std::string body = translate(text, limit, Lines::keep, append_logged);
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

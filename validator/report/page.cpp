#include "report/page.h"

#include "report/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace report {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string_view sgr(Tone tone) {
    constexpr std::array<std::string_view, 6> codes{"", "1", "32", "31", "33", "2"};
    return codes.at(static_cast<std::size_t>(tone));
}

std::string with_blanks_for_tabs(std::string text) {
    for (std::size_t at = text.find('\t'); at != std::string::npos; at = text.find('\t', at))
        text.replace(at, 1, "    ");
    return text;
}

} // namespace

std::vector<std::string> wrap(std::string_view line, std::size_t width) {
    std::vector<std::string> pieces;
    while (columns(line) > width) {
        std::size_t end = bytes_within(line, width);
        // The blank may also be the first thing that does not fit.
        const std::size_t blank = line.substr(0, end + 1).find_last_of(' ');
        const bool breakable = blank != std::string_view::npos && line.find_first_not_of(' ') < blank;
        if (breakable) end = blank;
        if (end == 0) end = first_character(line).size; // a wide character on a page one column wide
        pieces.emplace_back(line.substr(0, end));
        line.remove_prefix(end);
        if (breakable) line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    }
    if (!line.empty() || pieces.empty()) pieces.emplace_back(line);
    for (std::string& piece : pieces)
        piece.erase(piece.find_last_not_of(' ') + 1);
    return pieces;
}

std::string Page::safe(std::string_view text, std::size_t limit, Lines lines) const {
    return with_blanks_for_tabs(
        terminal(text, limit, lines, style_.unicode ? Charset::unicode : Charset::ascii));
}

std::string Page::toned(std::string_view text, Tone tone) const {
    if (!style_.colour || tone == Tone::plain || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", sgr(tone), text);
}

void Page::wrapped(std::string_view shown, Tone tone, std::size_t indent, std::size_t hang) {
    const std::size_t room = style_.width - indent - hang; // that of the continued lines, for all
    bool first = true;
    for (const std::string_view line : lines_of(shown)) {
        for (const std::string& piece : wrap(line, room)) {
            const std::size_t blanks = piece.empty() ? 0 : indent + (first ? 0 : hang);
            text_ += std::string(blanks, ' ') + toned(piece, tone) + "\n";
            first = false;
        }
    }
}

void Page::paragraph(std::string_view text, Tone tone, std::size_t indent, std::size_t hang) {
    wrapped(safe(text, limit::message, Lines::keep), tone, indent, hang);
}

void Page::sentence(std::string_view text, Tone tone, std::size_t indent, std::size_t hang) {
    wrapped(safe(text, limit::sentence, Lines::show), tone, indent, hang);
}

void Page::row(std::string_view mark, Tone tone, std::string_view name, std::string_view tail) {
    std::string end = safe(tail, limit::name, Lines::show);
    const std::size_t left = 2 + columns(mark) + 1, right = columns(end);
    const std::size_t room = style_.width - left - right - 2;
    std::string lead = "  " + toned(mark, tone) + " ";
    for (const std::string& piece : wrap(safe(name, limit::name, Lines::show), room)) {
        text_ += lead + piece;
        if (!end.empty()) text_ += std::string(room - columns(piece) + 2, ' ') + toned(end, Tone::dim);
        text_ += "\n";
        lead = std::string(left, ' ');
        end.clear();
    }
}

void Page::rule(std::string_view title) {
    const std::string_view dash = glyph("─", "-");
    std::string line;
    if (!title.empty()) {
        const std::string shown = safe(title, limit::name, Lines::show);
        const std::string_view fitting(shown.data(), bytes_within(shown, style_.width - 8));
        line = fmt::format("{}{} {} ", dash, dash, fitting);
    }
    while (columns(line) < style_.width)
        line += dash;
    text_ += toned(line, Tone::dim) + "\n";
}

void Page::verbatim(std::string_view text, std::size_t lines, Tone tone) {
    std::size_t end = 0;
    for (std::size_t line = 0; line < lines && end < text.size(); ++line)
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    wrapped(safe(text, std::min(end, lines * 100), Lines::keep), tone, 0, 0);
}

void Page::blank() {
    if (!text_.empty() && !text_.ends_with("\n\n")) text_ += "\n";
}

std::string_view Page::glyph(std::string_view unicode, std::string_view ascii) const {
    return style_.unicode ? unicode : ascii;
}

} // namespace report

#include "report/page.h"

#include "text/sgr.h"
#include "text/width.h"

#include <fmt/format.h>

#include <algorithm>

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

/// Empty where a tone has no look of its own.
std::string_view sgr(Tone tone) {
    switch (tone) {
    case Tone::good: return text::sgr::good;
    case Tone::bad: return text::sgr::bad;
    case Tone::strong: return text::sgr::bold;
    case Tone::plain: break;
    }
    return "";
}

std::string blanks(int number) {
    return std::string(static_cast<std::size_t>(std::max(number, 0)), ' ');
}

/// At least one line, if an empty one.
std::vector<std::string> wrap(std::string_view line, int width) {
    std::vector<std::string> pieces;
    for (const text::Line& part : text::wrap({{std::string(line)}}, width, text::Blanks::keep))
        pieces.push_back(part.pieces.front().text);
    if (pieces.empty()) pieces.emplace_back();
    return pieces;
}

} // namespace

std::string Page::safe(std::string_view text, std::size_t limit, Lines lines) const {
    return text::without_tabs(terminal(text, limit, lines, text::charset(style_.unicode)));
}

std::string Page::toned(std::string_view text, Tone tone) const {
    if (!style_.colour || sgr(tone).empty() || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", sgr(tone), text);
}

void Page::wrapped(std::string_view shown, Tone tone, int indent, int hang) {
    const int available = style_.width - indent - hang; // that of the continued lines, for all
    bool first = true;
    for (const std::string_view line : lines_of(shown)) {
        for (const std::string& piece : wrap(line, available)) {
            text_ += blanks(piece.empty() ? 0 : indent + (first ? 0 : hang)) + toned(piece, tone) + "\n";
            first = false;
        }
    }
}

void Page::paragraph(std::string_view text, Tone tone, int indent, int hang) {
    wrapped(safe(text, limit::message, Lines::keep), tone, indent, hang);
}

void Page::sentence(std::string_view text, Tone tone, int indent, int hang) {
    wrapped(safe(text, limit::sentence, Lines::show), tone, indent, hang);
}

void Page::labelled(std::string_view label, Tone tone, std::string_view text, int indent, int hang) {
    const text::Pieces pieces{
        {safe(label, limit::sentence, Lines::show), static_cast<unsigned>(tone)},
        {" " + safe(text, limit::sentence, Lines::show), static_cast<unsigned>(Tone::plain)}};
    int in_front = indent;
    for (const text::Line& line : text::wrap(pieces, style_.width - indent - hang)) {
        text_ += blanks(in_front);
        for (const text::Piece& piece : line.pieces)
            text_ += toned(piece.text, static_cast<Tone>(piece.style));
        text_ += "\n";
        in_front = indent + hang;
    }
}

void Page::source_line(std::string_view source, int column, Tone tone, int indent) {
    source = source.substr(0, source.find('\n'));
    const auto before = std::min(source.size(), static_cast<std::size_t>(std::max(column, 1)) - 1);
    std::string shown = safe(source, limit::message, Lines::keep);
    int mark = text::columns(safe(source.substr(0, before), limit::message, Lines::keep));
    const int available = style_.width - indent;
    const std::string_view dots = glyph("…", "...");
    const bool fits = std::max(text::columns(shown), mark + 1) <= available;
    if (const int too_far = mark - available * 2 / 3; !fits && too_far > 0) {
        const std::size_t cut = text::bytes_within(shown, too_far + text::columns(dots));
        mark -= text::columns(std::string_view(shown).substr(0, cut)) - text::columns(dots);
        shown = std::string(dots) + shown.substr(cut);
    }
    if (text::columns(shown) > available)
        shown =
            shown.substr(0, text::bytes_within(shown, available - text::columns(dots))) + std::string(dots);
    shown.erase(shown.find_last_not_of(' ') + 1);
    text_ += blanks(indent) + shown + "\n";
    if (column > 0 && !style_.plain) text_ += blanks(indent + mark) + toned("^", tone) + "\n";
}

void Page::row(std::string_view mark, Tone tone, std::string_view name, std::string_view tail) {
    std::string end = safe(tail, limit::name, Lines::show);
    const int left = 2 + text::columns(mark) + 1, right = text::columns(end);
    const int available = style_.width - left - right - 2;
    std::string lead = "  " + toned(mark, tone) + " ";
    for (const std::string& piece : wrap(safe(name, limit::name, Lines::show), available)) {
        text_ += lead + piece;
        if (!end.empty()) text_ += blanks(available - text::columns(piece) + 2) + end;
        text_ += "\n";
        lead = blanks(left);
        end.clear();
    }
}

void Page::rule(std::string_view title) {
    if (style_.plain) {
        sentence(title.empty() ? "End of it." : std::string(title) + ":");
        return;
    }
    const std::string_view dash = glyph("─", "-");
    std::string line;
    if (!title.empty()) {
        const std::string shown = safe(title, limit::name, Lines::show);
        const std::string_view fitting(shown.data(), text::bytes_within(shown, style_.width - 8));
        line = fmt::format("{}{} {} ", dash, dash, fitting);
    }
    while (text::columns(line) < style_.width)
        line += dash;
    text_ += line + "\n";
}

void Page::verbatim(std::string_view text, std::size_t lines, Tone tone) {
    std::size_t end = 0;
    for (std::size_t line = 0; line < lines && end < text.size(); ++line)
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    wrapped(safe(text, std::min(end, lines * 100), Lines::keep), tone, 0, 0);
}

void Page::next_step(std::string_view next) {
    if (next.empty()) return;
    blank();
    const std::string_view sign = style_.plain ? "Next:" : glyph("→", "->");
    sentence(fmt::format("{} {}", sign, next), Tone::strong, 0, 2);
}

void Page::blank() {
    if (!text_.empty() && !text_.ends_with("\n\n")) text_ += "\n";
}

std::string_view Page::glyph(std::string_view unicode, std::string_view ascii) const {
    return style_.unicode ? unicode : ascii;
}

} // namespace report

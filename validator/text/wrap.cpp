#include "text/wrap.h"

#include "text/width.h"

#include <algorithm>

namespace text {
namespace {

/// What is between two places to break, with how it is joined to what came before.
struct Word {
    Line line;
    int gap = 0;            ///< blanks before it
    unsigned gap_style = 0; ///< an underlined link stays underlined across blanks
    bool breaks_before = false;
};

bool is_whole(const Word& word) {
    return std::ranges::any_of(word.line.pieces,
                               [](const Piece& piece) { return (piece.style & whole) != 0; });
}

std::vector<Word> split_words(const Pieces& pieces) {
    std::vector<Word> words;
    Word word;
    const auto finish = [&] {
        if (word.line.pieces.empty()) return;
        words.push_back(std::move(word));
        word = Word{};
    };
    for (const Piece& piece : pieces) {
        std::string_view rest = piece.text;
        while (!rest.empty()) {
            const std::size_t length = std::min(rest.find_first_of(" \n"), rest.size());
            if (length > 0) append(word.line, rest.substr(0, length), piece.style);
            if (length == rest.size()) break;
            finish();
            word.gap_style = piece.style;
            if (rest[length] == '\n') {
                word.breaks_before = true;
                word.gap = 0;
            } else {
                ++word.gap;
            }
            rest.remove_prefix(length + 1);
        }
    }
    finish();
    return words;
}

/// Breaks a word that fits on no line, anywhere between two graphemes.
std::vector<Line> chop(const Line& word, int width) {
    std::vector<Line> lines(1);
    for (const Piece& piece : word.pieces) {
        std::string_view rest = piece.text;
        while (!rest.empty()) {
            std::size_t end = bytes_within(rest, width - lines.back().width);
            if (end == 0 && lines.back().pieces.empty())
                end = first_grapheme(rest).bytes; // wider than any line
            if (end > 0) append(lines.back(), rest.substr(0, end), piece.style);
            rest.remove_prefix(end);
            if (!rest.empty()) lines.emplace_back();
        }
    }
    return lines;
}

std::string blanks_of(int number) {
    return std::string(static_cast<std::size_t>(std::max(number, 0)), ' ');
}

} // namespace

void append(Line& line, std::string_view text, unsigned style) {
    if (text.empty()) return;
    line.width += columns(text);
    if (!line.pieces.empty() && line.pieces.back().style == style)
        line.pieces.back().text += text;
    else
        line.pieces.push_back({std::string(text), style});
}

void append(Line& line, const Line& more) {
    for (const Piece& piece : more.pieces)
        append(line, piece.text, piece.style);
}

std::vector<Line> wrap(const Pieces& pieces, int width, Blanks blanks) {
    std::vector<Line> lines;
    for (const Word& word : split_words(pieces)) {
        const int gap = blanks == Blanks::keep ? word.gap : 1;
        const bool fits =
            !lines.empty() && !word.breaks_before && word.line.width + gap <= width - lines.back().width;
        if (fits) {
            append(lines.back(), blanks_of(gap),
                   lines.back().pieces.back().style == word.gap_style ? word.gap_style : 0);
            append(lines.back(), word.line);
            continue;
        }
        const bool indented = blanks == Blanks::keep && (lines.empty() || word.breaks_before);
        if (word.line.width <= width || is_whole(word)) {
            lines.emplace_back();
            if (indented) append(lines.back(), blanks_of(std::min(word.gap, width - word.line.width)), 0);
            append(lines.back(), word.line);
        } else {
            for (Line& part : chop(word.line, width))
                lines.push_back(std::move(part));
        }
    }
    return lines;
}

Extent extent(const Pieces& pieces) {
    Extent columns;
    for (const Word& word : split_words(pieces)) {
        columns.least = std::max(columns.least, word.line.width);
        columns.natural += (columns.natural > 0 ? 1 : 0) + word.line.width;
    }
    return columns;
}

} // namespace text

#include "terminal/wrap.h"

#include "terminal/text.h"

#include <algorithm>

namespace terminal {
namespace {

/// What stands between two places to break, with how it is joined to what came before.
struct Word {
    Line line;
    unsigned gap_look = plain; ///< of the blank before it: an underlined link stays underlined across blanks
    bool breaks_before = false;
};

bool is_whole(const Word& word) {
    return std::any_of(word.line.pieces.begin(), word.line.pieces.end(),
                       [](const Piece& piece) { return (piece.look & whole) != 0; });
}

std::vector<Word> split_words(const Pieces& pieces) {
    std::vector<Word> words;
    Word word;
    const auto finish = [&] {
        if (!word.line.pieces.empty()) words.push_back(std::move(word));
        word = Word{};
    };
    for (const Piece& piece : pieces) {
        std::string_view rest = piece.text;
        while (!rest.empty()) {
            const std::size_t length = std::min(rest.find_first_of(" \n"), rest.size());
            if (length > 0) append(word.line, rest.substr(0, length), piece.look);
            if (length == rest.size()) break;
            const bool breaks = rest[length] == '\n' || (word.line.pieces.empty() && word.breaks_before);
            finish();
            word.gap_look = piece.look;
            word.breaks_before = breaks;
            rest.remove_prefix(length + 1);
        }
    }
    finish();
    return words;
}

/// Breaks a word that fits on no line, anywhere between two characters.
std::vector<Line> chop(const Line& word, int width) {
    std::vector<Line> lines(1);
    for (const Piece& piece : word.pieces) {
        std::string_view rest = piece.text;
        while (!rest.empty()) {
            std::size_t end = 0;
            int room = width - lines.back().width;
            while (end < rest.size()) {
                const CodePoint point = first_code_point(rest.substr(end));
                const int columns = display_width(point.value);
                if (columns > room) break;
                room -= columns;
                end += point.bytes;
            }
            if (end == 0 && lines.back().pieces.empty())
                end = first_code_point(rest).bytes; // wider than any line
            if (end > 0) append(lines.back(), rest.substr(0, end), piece.look);
            rest.remove_prefix(end);
            if (!rest.empty()) lines.emplace_back();
        }
    }
    return lines;
}

constexpr struct {
    unsigned look;
    const char* code;
} codes[] = {{bold, "1"}, {faint, "2"}, {italic, "3"}, {link, "4"}, {code, "36"}};

} // namespace

void append(Line& line, std::string_view text, unsigned look) {
    if (text.empty()) return;
    line.width += display_width(text);
    if (!line.pieces.empty() && line.pieces.back().look == look)
        line.pieces.back().text += text;
    else
        line.pieces.push_back({std::string(text), look});
}

void append(Line& line, const Line& more) {
    for (const Piece& piece : more.pieces)
        append(line, piece.text, piece.look);
}

std::vector<Line> wrap(const Pieces& pieces, int width) {
    std::vector<Line> lines;
    for (const Word& word : split_words(pieces)) {
        const bool fits =
            !lines.empty() && !word.breaks_before && lines.back().width + 1 + word.line.width <= width;
        if (fits) {
            append(lines.back(), " ",
                   lines.back().pieces.back().look == word.gap_look ? word.gap_look : plain);
            append(lines.back(), word.line);
        } else if (word.line.width <= width || is_whole(word)) {
            lines.push_back(word.line);
        } else {
            for (Line& part : chop(word.line, width))
                lines.push_back(std::move(part));
        }
    }
    return lines;
}

std::string hanging(std::string_view text, int width, int indent) {
    std::string out;
    for (const Line& line : wrap({{std::string(text), plain}}, std::max(width - indent, 1)))
        out += (out.empty() ? "" : "\n" + std::string(static_cast<std::size_t>(indent), ' ')) +
               painted(line, false);
    return out;
}

std::string fitted(std::string_view text, int width) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        const std::size_t lead = std::min(line.find_first_not_of(' '), line.size());
        if (display_width(line) <= width)
            out += line;
        else
            out += std::string(lead, ' ') + hanging(line.substr(lead), width, static_cast<int>(lead));
        if (end < text.size()) out += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

Extent extent(const Pieces& pieces) {
    Extent columns;
    for (const Word& word : split_words(pieces)) {
        columns.least = std::max(columns.least, word.line.width);
        columns.natural += (columns.natural > 0 ? 1 : 0) + word.line.width;
    }
    return columns;
}

std::string painted(const Line& line, bool colour) {
    std::size_t count = line.pieces.size();
    while (count > 0 && line.pieces[count - 1].text.find_first_not_of(' ') == std::string::npos)
        --count;
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
        std::string text = line.pieces[i].text;
        if (i + 1 == count) text.erase(text.find_last_not_of(' ') + 1);
        std::string sequence;
        if (colour)
            for (const auto& row : codes)
                if ((line.pieces[i].look & row.look) != 0)
                    sequence += (sequence.empty() ? "" : ";") + std::string(row.code);
        out += sequence.empty() ? text : "\033[" + sequence + "m" + text + "\033[0m";
    }
    return out;
}

} // namespace terminal

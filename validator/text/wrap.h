#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text in styles, broken into lines by what a terminal shows, not by bytes.
namespace text {

/// A bit of Piece::style: never broken inside a word, even where it does not fit; for code and addresses. The
/// other bits mean nothing here.
inline constexpr unsigned whole = 1U << 31;

/// Text of one style. Blanks are places to break, '\n' is a break.
struct Piece {
    std::string text;
    unsigned style = 0;
};
using Pieces = std::vector<Piece>;

struct Line {
    Pieces pieces;
    int width = 0; ///< columns
};

void append(Line& line, std::string_view text, unsigned style);
void append(Line& line, const Line& more);

/// What becomes of several blanks in a row.
enum class Blanks {
    collapse, ///< one between two words, none at the start: prose
    keep,     ///< as they are inside a line and at the start of the text: code, output
};

/// Lines of at most `width` columns, without blanks at their end; longer only for a single word that is
/// `whole`. A word that fits on no line is broken between graphemes. Kept blanks at the start shrink where
/// the first word would not fit after them. No words, no lines.
std::vector<Line> wrap(const Pieces& pieces, int width, Blanks blanks = Blanks::collapse);

/// Columns of the longest word, and of the whole on one line, blanks collapsed.
struct Extent {
    int least = 0;
    int natural = 0;
};
Extent extent(const Pieces& pieces);

} // namespace text

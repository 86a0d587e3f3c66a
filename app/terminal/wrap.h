#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text with looks, broken into lines by what a terminal shows, not by bytes.
namespace terminal {

/// Bits; several may hold at once.
enum Look : unsigned {
    plain = 0,
    bold = 1,
    italic = 2,
    code = 4,
    link = 8,
    faint = 16,
    whole = 32, ///< never broken inside a word, even where it does not fit: code and addresses
};

/// Text of one look. Blanks are places to break, '\n' is a break.
struct Piece {
    std::string text;
    unsigned look = plain;
};
using Pieces = std::vector<Piece>;

struct Line {
    Pieces pieces;
    int width = 0; ///< columns
};

void append(Line& line, std::string_view text, unsigned look);
void append(Line& line, const Line& more);

/// Lines of at most `width` columns; longer only for a single word that is `whole`.
std::vector<Line> wrap(const Pieces& pieces, int width);

/// Plain text in lines of at most `width` columns, all but the first behind `indent` blanks; the caller has
/// put as much before the first.
std::string hanging(std::string_view text, int width, int indent);

/// Line by line: one that fits stays as it is, blanks and all; one that does not is broken behind its own
/// indentation.
std::string fitted(std::string_view text, int width);

/// Columns of the longest word, and of the whole on one line.
struct Extent {
    int least = 0;
    int natural = 0;
};
Extent extent(const Pieces& pieces);

/// The line as bytes for the terminal, without blanks at its end; every look is switched off again.
std::string painted(const Line& line, bool colour);

} // namespace terminal

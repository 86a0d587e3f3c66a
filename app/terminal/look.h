#pragma once

#include "text/wrap.h"

#include <string>
#include <string_view>

/// What a terminal can do with a piece of text.
namespace terminal {

/// Bits of text::Piece::style; several may hold at once.
enum Look : unsigned {
    plain = 0,
    bold = 1,
    italic = 2,
    code = 4,
    link = 8,
    whole = text::whole,
};

/// Plain text in lines of at most `width` columns, all but the first after `indent` blanks; the caller has
/// put as much before the first.
std::string hanging(std::string_view text, int width, int indent);

/// Line by line: one that fits stays as it is, blanks and all; one that does not is broken, and its rest
/// takes its indentation.
std::string fitted(std::string_view text, int width);

/// The line as bytes for the terminal, without blanks at its end; every look is switched off again.
/// With `links`, addresses can be clicked where the terminal knows OSC 8.
std::string painted(const text::Line& line, bool colour, bool links = false);

} // namespace terminal

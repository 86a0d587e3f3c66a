#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Columns that a terminal uses for text without control characters, well-formed or not.
namespace text {

/// What a reader takes for one character: a letter with its combining marks, an emoji of several code points
/// (UAX #29, extended grapheme clusters).
struct Grapheme {
    std::size_t bytes = 0;
    int columns = 0;
};

/// The first of `text`, which must not be empty. East Asian wide characters and emoji count two columns,
/// joined emoji and flags too as terminals that know graphemes show them; combining marks none; ambiguous
/// widths one.
Grapheme first_grapheme(std::string_view text);

int columns(std::string_view text);

/// Bytes of the graphemes at the start of `text` that fit into `width` columns.
std::size_t bytes_within(std::string_view text, int width);

/// At most `width` columns, with "..." at the end where something was cut.
std::string shortened(std::string_view text, int width);

/// With blanks for each tab, up to the next multiple of four columns.
std::string without_tabs(std::string_view text);

} // namespace text

#pragma once

#include <string>
#include <string_view>

namespace terminal {

/// How to write for a terminal. Values of `Capabilities`, or of a test.
struct Style {
    bool colour = false;
    int width = 80; ///< columns; at least 20 are used
    bool unicode = true;
    bool plain = false; ///< for a screen reader: no rules, no columns, no marks around words
    bool links = false; ///< addresses as links of the terminal
};

/// CommonMark with tables, for reading. Lines keep within the width; only code and addresses may be longer.
/// Without colour, emphasis and inline code keep their Markdown marks, so that nothing is lost in a file or a
/// pipe. Control characters never come through, and hostile input costs time and room in proportion to its
/// length.
std::string render_markdown(std::string_view markdown, const Style& style);

} // namespace terminal

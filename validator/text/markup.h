#pragma once

#include <string>
#include <string_view>

namespace text {

/// For the text of XML, SVG and HTML and for their quoted attributes: cleaned, on one line, nothing of it
/// markup.
std::string markup(std::string_view text);

/// One letter of text that is cleaned already.
void append_markup(std::string& out, char letter);

} // namespace text

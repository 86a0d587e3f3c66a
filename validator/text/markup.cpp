#include "text/markup.h"

#include "text/clean.h"

namespace text {

void append_markup(std::string& out, char letter) {
    switch (letter) {
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '&': out += "&amp;"; break;
    case '"': out += "&quot;"; break;
    case '\'': out += "&#39;"; break;
    default: out += letter;
    }
}

std::string markup(std::string_view text) {
    std::string out;
    for (const char letter : cleaned(text, Lines::show))
        append_markup(out, letter);
    return out;
}

} // namespace text

#include "terminal/look.h"

#include "text/sgr.h"
#include "text/width.h"

#include <algorithm>

namespace terminal {
namespace {

constexpr struct {
    unsigned look;
    std::string_view code;
} codes[] = {{bold | code, text::sgr::bold}, {italic, text::sgr::italic}, {link, text::sgr::underlined}};

/// The web address that a piece of text is, perhaps in parentheses; empty for any other text.
std::string address_in(std::string_view text) {
    if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
    const bool address = text.starts_with("https://") || text.starts_with("http://");
    const auto usual = [](char letter) { return letter > ' ' && letter < '\x7f'; }; // as OSC 8 asks for
    return address && std::ranges::all_of(text, usual) ? std::string(text) : "";
}

} // namespace

std::string hanging(std::string_view text, int width, int indent) {
    std::string out;
    for (const text::Line& line : text::wrap({{std::string(text), plain}}, std::max(width - indent, 1)))
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
        if (text::columns(line) <= width)
            out += line;
        else
            out += std::string(lead, ' ') + hanging(line.substr(lead), width, static_cast<int>(lead));
        if (end < text.size()) out += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

std::string painted(const text::Line& line, bool colour, bool links) {
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
                if ((line.pieces[i].style & row.look) != 0)
                    sequence += (sequence.empty() ? "" : ";") + std::string(row.code);
        const std::string looking = sequence.empty() ? text : "\033[" + sequence + "m" + text + "\033[0m";
        const std::string address = links && (line.pieces[i].style & link) != 0 ? address_in(text) : "";
        out += address.empty() ? looking : "\033]8;;" + address + "\033\\" + looking + "\033]8;;\033\\";
    }
    return out;
}

} // namespace terminal

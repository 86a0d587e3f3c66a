#include "terminal/look.h"

#include "text/width.h"

#include <algorithm>

namespace terminal {
namespace {

constexpr struct {
    unsigned look;
    const char* code;
} codes[] = {{bold, "1"}, {faint, "2"}, {italic, "3"}, {link, "4"}, {code, "36"}};

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

std::string painted(const text::Line& line, bool colour) {
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
        out += sequence.empty() ? text : "\033[" + sequence + "m" + text + "\033[0m";
    }
    return out;
}

} // namespace terminal

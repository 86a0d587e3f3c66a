#include "picture/sheet.h"

#include "text/clean.h"
#include "text/width.h"
#include "text/wrap.h"

#include <algorithm>

namespace picture {

int Sheet::width() const {
    return std::max(style_.width - indent_, 20);
}

const Signs& Sheet::signs() const {
    static const Signs unicode{{"░", "▒", "▓", "█"}, {"-", "~", "=", "≡"}, "·", "█"};
    static const Signs ascii{{".", ":", "+", "#"}, {"-", "~", "=", "%"}, "_", "#"};
    return style_.unicode ? unicode : ascii;
}

void Sheet::line(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    if (!text.empty()) text_ += std::string(static_cast<std::size_t>(indent_), ' ') + text;
    text_ += '\n';
}

void Sheet::sentence(const std::string& text) {
    const auto charset = text::charset(style_.unicode);
    for (const text::Line& part : text::wrap({{text::cleaned(text, text::Lines::show, charset)}}, width()))
        line(part.pieces.empty() ? "" : part.pieces.front().text);
}

std::string Sheet::field(const std::string& text, int columns, bool flush_right) const {
    const std::string safe = text::cleaned(text, text::Lines::show, text::charset(style_.unicode));
    const std::string cut = safe.substr(0, text::bytes_within(safe, columns));
    const std::string fill(static_cast<std::size_t>(std::max(columns - text::columns(cut), 0)), ' ');
    return flush_right ? fill + cut : cut + fill;
}

} // namespace picture

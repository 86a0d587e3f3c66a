#include "text/width.h"

#include "text/properties.h"
#include "text/utf8.h"

#include <algorithm>

namespace text {
namespace {

/// utf8proc counts marks that take a column of their own, and Arabic signs that stand before a number, as
/// none, and the later parts of a Hangul syllable as one.
int columns_of(char32_t code) {
    const auto value = static_cast<utf8proc_int32_t>(code);
    if (code >= 0x20 && code < 0x7F) return 1;
    if (utf8proc_category(value) == UTF8PROC_CATEGORY_MC) return 1;
    switch (boundary_class(code)) {
    case UTF8PROC_BOUNDCLASS_PREPEND: return 1;
    case UTF8PROC_BOUNDCLASS_V:
    case UTF8PROC_BOUNDCLASS_T: return 0;
    default: return utf8proc_charwidth(value);
    }
}

} // namespace

Grapheme first_grapheme(std::string_view text) {
    const Character first = first_character(text);
    Grapheme cluster{first.size, columns_of(first.code)};
    const bool one_picture = is_pictographic(first.code);
    utf8proc_int32_t state = 0;
    char32_t before = first.code;
    while (cluster.bytes < text.size()) {
        const Character next = first_character(text.substr(cluster.bytes));
        if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before),
                                             static_cast<utf8proc_int32_t>(next.code), &state))
            break;
        cluster.bytes += next.size;
        const int own = next.code == emoji_style ? 2 : columns_of(next.code);
        cluster.columns =
            one_picture || next.code == emoji_style ? std::max(cluster.columns, own) : cluster.columns + own;
        before = next.code;
    }
    return cluster;
}

int columns(std::string_view text) {
    int sum = 0;
    while (!text.empty()) {
        const Grapheme cluster = first_grapheme(text);
        sum += cluster.columns;
        text.remove_prefix(cluster.bytes);
    }
    return sum;
}

std::size_t bytes_within(std::string_view text, int width) {
    std::size_t bytes = 0;
    while (bytes < text.size()) {
        const Grapheme cluster = first_grapheme(text.substr(bytes));
        width -= cluster.columns;
        if (width < 0) break;
        bytes += cluster.bytes;
    }
    return bytes;
}

std::string shortened(std::string_view text, int width) {
    if (columns(text) <= width) return std::string(text);
    constexpr std::string_view dots = "...";
    const int left = width - static_cast<int>(dots.size());
    if (left <= 0) return std::string(dots.substr(0, static_cast<std::size_t>(std::max(width, 0))));
    return std::string(text.substr(0, bytes_within(text, left))) + std::string(dots);
}

std::string without_tabs(std::string_view text) {
    constexpr int stop = 4;
    std::string out;
    int column = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\t\n"), text.size());
        column += columns(text.substr(0, end));
        out += text.substr(0, end);
        text.remove_prefix(end);
        if (text.empty()) break;
        const int blanks = stop - column % stop;
        text.front() == '\n' ? out.append(1, '\n') : out.append(static_cast<std::size_t>(blanks), ' ');
        column = text.front() == '\n' ? 0 : column + blanks;
        text.remove_prefix(1);
    }
    return out;
}

} // namespace text

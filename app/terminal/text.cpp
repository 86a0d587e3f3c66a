#include "terminal/text.h"

#include <clocale>
#include <cwchar>

#include <algorithm>
#include <array>

namespace terminal {
namespace {

constexpr char32_t replacement = 0xfffd;

/// wcwidth() answers for the locale of the thread, which in a C locale knows ASCII only.
class Utf8Locale {
  public:
    Utf8Locale() : ours_(shared()), before_(ours_ != nullptr ? ::uselocale(ours_) : nullptr) {}
    ~Utf8Locale() {
        if (ours_ != nullptr) ::uselocale(before_);
    }
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;

  private:
    static locale_t shared() {
        static const locale_t locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
        return locale;
    }
    locale_t ours_;
    locale_t before_;
};

bool is_control(char32_t value) {
    return value < 0x20 || (value >= 0x7f && value < 0xa0);
}

/// Marks that change the direction of the text around them, line separators, and the byte order mark.
bool is_trickery(char32_t value) {
    return (value >= 0x202a && value <= 0x202e) || (value >= 0x2066 && value <= 0x2069) || value == 0x200e ||
           value == 0x200f || value == 0x061c || value == 0x2028 || value == 0x2029 || value == 0xfeff;
}

struct Spelling {
    char32_t value;
    std::string_view ascii;
};

/// What the statements use beyond ASCII, for terminals that have nothing else. Sorted by code point.
constexpr auto spellings = std::to_array<Spelling>({
    {0xa0, " "},    {0xb0, " degrees"}, {0xb1, "+-"},     {0xb2, "^2"},     {0xb3, "^3"},    {0xb5, "u"},
    {0xb7, "*"},    {0xd7, "x"},        {0xf7, "/"},      {0x3b1, "alpha"}, {0x3b2, "beta"}, {0x3b5, "eps"},
    {0x3bc, "mu"},  {0x3c0, "pi"},      {0x3c3, "sigma"}, {0x1d40, "^T"},   {0x2013, "-"},   {0x2014, "-"},
    {0x2018, "'"},  {0x2019, "'"},      {0x201c, "\""},   {0x201d, "\""},   {0x2022, "*"},   {0x2026, "..."},
    {0x2190, "<-"}, {0x2192, "->"},     {0x21d2, "=>"},   {0x2202, "d"},    {0x2208, "in"},  {0x2211, "sum"},
    {0x2212, "-"},  {0x221a, "sqrt"},   {0x221e, "inf"},  {0x2248, "~"},    {0x2260, "!="},  {0x2264, "<="},
    {0x2265, ">="}, {0x27e8, "<"},      {0x27e9, ">"},
});

std::string_view spelled(char32_t value) {
    const auto found =
        std::lower_bound(spellings.begin(), spellings.end(), value,
                         [](const Spelling& row, char32_t wanted) { return row.value < wanted; });
    return found != spellings.end() && found->value == value ? found->ascii : "?";
}

int width_in_utf8_locale(char32_t value) {
    if (value < 0x7f) return value < 0x20 ? 0 : 1;
    const int width = ::wcwidth(static_cast<wchar_t>(value));
    return width < 0 ? 1 : width; // unassigned, or no UTF-8 locale on this machine
}

} // namespace

CodePoint first_code_point(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {replacement, 1};
    char32_t value = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {replacement, 1};
        value = value << 6 | (byte(i) & 0x3fU);
    }
    const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    const bool surrogate = value >= 0xd800 && value <= 0xdfff;
    if (overlong || surrogate || value > 0x10ffff) return {replacement, 1};
    return {value, length};
}

std::string to_utf8(char32_t value) {
    const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
    const auto low = [&](int shift) { return byte(0x80 | (value >> shift & 0x3f)); };
    if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return to_utf8(replacement);
    if (value < 0x80) return {byte(value)};
    if (value < 0x800) return {byte(0xc0 | value >> 6), low(0)};
    if (value < 0x10000) return {byte(0xe0 | value >> 12), low(6), low(0)};
    return {byte(0xf0 | value >> 18), low(12), low(6), low(0)};
}

int display_width(char32_t value) {
    if (value < 0x7f) return width_in_utf8_locale(value);
    const Utf8Locale locale;
    return width_in_utf8_locale(value);
}

int display_width(std::string_view text) {
    const Utf8Locale locale;
    int width = 0;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        width += width_in_utf8_locale(point.value);
        text.remove_prefix(point.bytes);
    }
    return width;
}

std::string cleaned(std::string_view text, bool unicode) {
    std::string out;
    out.reserve(text.size());
    int column = 0;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        text.remove_prefix(point.bytes);
        if (point.value == '\n') {
            out += '\n';
            column = 0;
        } else if (point.value == '\t') {
            const int blanks = 4 - column % 4;
            out.append(static_cast<std::size_t>(blanks), ' ');
            column += blanks;
        } else if (!is_control(point.value) && !is_trickery(point.value)) {
            const std::size_t before = out.size();
            if (unicode || point.value < 0x80)
                out += to_utf8(point.value);
            else if (display_width(point.value) > 0)
                out += spelled(point.value);
            column += display_width(std::string_view(out).substr(before));
        }
    }
    return out;
}

std::string shortened(std::string_view text, int columns) {
    if (display_width(text) <= columns) return std::string(text);
    constexpr std::string_view dots = "...";
    const int room = columns - static_cast<int>(dots.size());
    if (room <= 0) return std::string(dots.substr(0, static_cast<std::size_t>(std::max(columns, 0))));
    std::size_t end = 0;
    int width = 0;
    while (end < text.size()) {
        const CodePoint point = first_code_point(text.substr(end));
        width += display_width(point.value);
        if (width > room) break;
        end += point.bytes;
    }
    return std::string(text.substr(0, end)) + std::string(dots);
}

} // namespace terminal

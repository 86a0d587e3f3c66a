#include "diagnosis/odd_characters.h"

#include "text/clean.h"
#include "text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace diagnosis {
namespace {

struct Lookalike {
    std::u32string_view typed;
    char meant;
};

/// What word processors, web pages and foreign keyboards put in the place of a character of C++.
constexpr auto lookalikes = std::to_array<Lookalike>({
    {U"\u201C\u201D\u201E\u201F\u00AB\u00BB\u2033\uFF02", '"'},
    {U"\u2018\u2019\u201A\u201B\u2032\u00B4\uFF07", '\''},
    {U"\u2010\u2011\u2012\u2013\u2014\u2212\uFF0D", '-'},
    {U"\u00A0\u2002\u2003\u2007\u2009\u202F\u3000\u200B\u2060\uFEFF", ' '},
    {U"\u00D7\u2217\u22C5\u00B7", '*'},
    {U"\u00F7\u2215\u2044", '/'},
    {U"\u037E\uFF1B", ';'},
    {U"\uFF0C\u201A", ','},
    {U"\uFF08", '('},
    {U"\uFF09", ')'},
    {U"\uFF1D", '='},
});

/// The character in "extended character “ is not valid in an identifier" (g++) or "unexpected character
/// <U+201C>" (clang++).
std::optional<char32_t> named_character(std::string_view message) {
    constexpr std::string_view extended = "extended character ", by_number = "character <U+";
    if (message.starts_with(extended) && message.size() > extended.size())
        return text::first_character(message.substr(extended.size())).code;
    const std::size_t at = message.find(by_number);
    if (at == std::string_view::npos || (at > 0 && !message.starts_with("unexpected "))) return std::nullopt;
    std::uint32_t code = 0;
    const char* begin = message.data() + at + by_number.size();
    const auto result = std::from_chars(begin, message.data() + message.size(), code, 16);
    if (result.ec != std::errc() || code > 0x10FFFF) return std::nullopt;
    return static_cast<char32_t>(code);
}

} // namespace

std::string odd_character(std::string_view message) {
    const auto code = named_character(message);
    if (!code || *code < 0x80) return "";
    const auto number = static_cast<std::uint32_t>(*code);
    const auto row = std::ranges::find_if(lookalikes, [&](const Lookalike& each) {
        return each.typed.find(*code) != std::u32string_view::npos;
    });
    if (row != lookalikes.end() && row->meant == ' ')
        return fmt::format("There is a space here that is not a space to C++ (U+{:04X}): delete it and type "
                           "an ordinary one.",
                           number);
    std::string shown;
    text::append(shown, *code);
    if (row != lookalikes.end())
        return fmt::format("{} is not the character of C++ that it looks like: type a plain {} instead.",
                           shown, row->meant);
    return fmt::format(
        "The character {} (U+{:04X}) does not belong in C++ here: was it copied from a formatted text?",
        shown, number);
}

} // namespace diagnosis

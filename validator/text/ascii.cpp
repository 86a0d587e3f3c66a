#include "text/ascii.h"

#include <algorithm>
#include <array>

namespace text {
namespace {

struct Spelling {
    char32_t code;
    std::string_view ascii;
};

/// Punctuation, and the signs of the statements. Sorted by code point.
constexpr auto spellings = std::to_array<Spelling>({
    {0xA0, " "},      {0xB0, " degrees"}, {0xB1, "+-"},   {0xB2, "^2"},    {0xB3, "^3"},
    {0xB5, "u"},      {0xB7, "*"},        {0xD7, "x"},    {0xF7, "/"},     {0x3B1, "alpha"},
    {0x3B2, "beta"},  {0x3B5, "eps"},     {0x3BC, "mu"},  {0x3C0, "pi"},   {0x3C3, "sigma"},
    {0x1D40, "^T"},   {0x2010, "-"},      {0x2011, "-"},  {0x2012, "-"},   {0x2013, "-"},
    {0x2014, "-"},    {0x2018, "'"},      {0x2019, "'"},  {0x201C, "\""},  {0x201D, "\""},
    {0x2022, "*"},    {0x2026, "..."},    {0x202F, " "},  {0x2190, "<-"},  {0x2192, "->"},
    {0x21D2, "=>"},   {0x2202, "d"},      {0x2208, "in"}, {0x2211, "sum"}, {0x2212, "-"},
    {0x221A, "sqrt"}, {0x221E, "inf"},    {0x2248, "~"},  {0x2260, "!="},  {0x2264, "<="},
    {0x2265, ">="},   {0x27E8, "<"},      {0x27E9, ">"},  {0xFFFD, "?"},
});
static_assert(std::ranges::is_sorted(spellings, {}, &Spelling::code));

} // namespace

std::string_view ascii_spelling(char32_t code) {
    const auto found = std::ranges::lower_bound(spellings, code, {}, &Spelling::code);
    return found != spellings.end() && found->code == code ? found->ascii : std::string_view{};
}

} // namespace text

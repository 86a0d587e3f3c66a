#include "text/sgr.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>

namespace {

struct Colour {
    int red = 0, green = 0, blue = 0;
};

/// The first eight default colours of a terminal, and the bright white.
struct Palette {
    const char* terminal;
    std::array<Colour, 8> colours;
    Colour bright_white;
};

constexpr Palette palettes[] = {
    {"xterm",
     {{{0, 0, 0},
       {205, 0, 0},
       {0, 205, 0},
       {205, 205, 0},
       {0, 0, 238},
       {205, 0, 205},
       {0, 205, 205},
       {229, 229, 229}}},
     {255, 255, 255}},
    {"GNOME Terminal",
     {{{23, 20, 33},
       {192, 28, 40},
       {38, 162, 105},
       {162, 115, 76},
       {18, 72, 139},
       {163, 71, 186},
       {42, 161, 179},
       {208, 207, 204}}},
     {255, 255, 255}},
    {"Windows Terminal",
     {{{12, 12, 12},
       {197, 15, 31},
       {19, 161, 14},
       {193, 156, 0},
       {0, 55, 218},
       {136, 23, 152},
       {58, 150, 221},
       {204, 204, 204}}},
     {242, 242, 242}},
    {"Terminal of macOS",
     {{{0, 0, 0},
       {194, 54, 33},
       {37, 188, 36},
       {173, 173, 39},
       {73, 46, 225},
       {211, 56, 211},
       {51, 187, 200},
       {203, 204, 205}}},
     {233, 235, 235}},
};

/// Relative luminance and contrast as WCAG 2.1 defines them.
double luminance(const Colour& colour) {
    const auto linear = [](int value) {
        const double share = value / 255.0;
        return share <= 0.03928 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

double contrast(const Colour& one, const Colour& other) {
    const double a = luminance(one), b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

/// The text's colour and its background in "30;42"; nothing where a sequence leaves one to the terminal.
std::optional<double> contrast(std::string_view sequence, const Palette& palette) {
    std::optional<Colour> text, background;
    for (std::size_t at = 0; at < sequence.size();) {
        const std::size_t end = std::min(sequence.find(';', at), sequence.size());
        const int number = std::stoi(std::string(sequence.substr(at, end - at)));
        if (number >= 30 && number <= 37) text = palette.colours.at(static_cast<std::size_t>(number - 30));
        if (number == 97) text = palette.bright_white;
        if (number >= 40 && number <= 47)
            background = palette.colours.at(static_cast<std::size_t>(number - 40));
        at = end + 1;
    }
    if (!text || !background) return std::nullopt;
    return contrast(*text, *background);
}

bool has_colour(std::string_view sequence) {
    return sequence.size() > 1;
}

} // namespace

TEST_CASE("the measure is that of WCAG: 21 between black and white, and 4.54 of #767676 on white") {
    CHECK(contrast({0, 0, 0}, {255, 255, 255}) == doctest::Approx(21));
    CHECK(contrast({118, 118, 118}, {255, 255, 255}) == doctest::Approx(4.54).epsilon(0.001));
    CHECK(contrast("30;43", palettes[1]).value() < 4.5); // why there is no yellow
    CHECK(contrast("32", palettes[0]) == std::nullopt);
}

TEST_CASE("every colour brings its background, and both contrast by 4.5 in the palettes of four terminals") {
    for (const std::string_view sequence : text::sgr::all)
        for (const Palette& palette : palettes) {
            if (!has_colour(sequence)) continue;
            CAPTURE(sequence);
            CAPTURE(palette.terminal);
            const auto measured = contrast(sequence, palette);
            REQUIRE(measured.has_value());
            CHECK(*measured >= 4.5);
        }
}

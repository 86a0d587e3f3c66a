#include "text/clean.h"

#include "text/utf8.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

using namespace text;

namespace {

std::string shown(std::string_view text) {
    return cleaned(text, Lines::keep);
}

std::string in_ascii(std::string_view text) {
    return cleaned(text, Lines::keep, Charset::ascii);
}

} // namespace

TEST_CASE("what moves the cursor appears by name") {
    CHECK(shown("a\033[31mb\033]0;title\007c") == "a\\x1b[31mb\\x1b]0;title\\x07c");
    CHECK(shown("a\rb\bc\x7F") == "a\\rb\\x08c\\x7f");
    CHECK(shown("\xC2\x9B"
                "31m") == "\\u009b31m"); // CSI in its one-character form
    CHECK(shown(std::string_view("a\0b", 3)) == "a\\x00b");
}

TEST_CASE("line ends and tabs stay or are shown, and CR never stays") {
    CHECK(shown("a\nb\tc") == "a\nb\tc");
    CHECK(cleaned("a\nb\tc", Lines::show) == "a\\nb\\tc");
    CHECK(shown("a\r\n") == "a\\r\n");
    CHECK(with_plain_line_ends("a\r\n\rb\r\r\n\r") == "a\n\rb\r\n\r");
    CHECK(printable("a\r\r\nb\r\n") == "a\\r\nb\n");
}

TEST_CASE("what reorders, hides or is invisible appears by name") {
    struct Hidden {
        const char* what;
        char32_t code;
        const char* name;
    };
    for (const Hidden& row : {Hidden{"soft hyphen", 0xAD, "\\u00ad"},
                              {"combining grapheme joiner", 0x34F, "\\u034f"},
                              {"Arabic letter mark", 0x61C, "\\u061c"},
                              {"Hangul filler", 0x3164, "\\u3164"},
                              {"zero width space", 0x200B, "\\u200b"},
                              {"zero width joiner", 0x200D, "\\u200d"},
                              {"right-to-left mark", 0x200F, "\\u200f"},
                              {"line separator", 0x2028, "\\u2028"},
                              {"right-to-left override", 0x202E, "\\u202e"},
                              {"word joiner", 0x2060, "\\u2060"},
                              {"reserved next to it", 0x2065, "\\u2065"},
                              {"right-to-left isolate", 0x2067, "\\u2067"},
                              {"empty braille", 0x2800, "\\u2800"},
                              {"a noncharacter", 0xFDD0, "\\ufdd0"},
                              {"variation selector 16", 0xFE0F, "\\ufe0f"},
                              {"byte order mark", 0xFEFF, "\\ufeff"},
                              {"reserved in the specials", 0xFFF0, "\\ufff0"},
                              {"interlinear annotation", 0xFFF9, "\\ufff9"},
                              {"musical beam", 0x1D173, "\\U0001d173"},
                              {"tag A", 0xE0041, "\\U000e0041"},
                              {"variation selector 17", 0xE0100, "\\U000e0100"},
                              {"reserved in the tags' plane", 0xE0FFF, "\\U000e0fff"},
                              {"the last noncharacter", 0x10FFFF, "\\U0010ffff"}}) {
        CAPTURE(row.what);
        std::string bytes = "a";
        append(bytes, row.code);
        CHECK(shown(bytes + "b") == "a" + std::string(row.name) + "b");
    }
}

TEST_CASE("honest text stays as it is, private and unassigned characters too") {
    for (const char* text :
         {"ü € 漢 😀 ∂x", "שלום", "\u0600١٢", "क्षि", "\uE000", "\u0378", "a\u00A0b", "日本\u3000語"})
        CHECK(shown(text) == text);
}

TEST_CASE("joiners and selectors stay inside an emoji and nowhere else") {
    for (const char* emoji :
         {"👨‍👩‍👧‍👦", "👩🏽‍💻", "🏳️‍🌈", "❤️", "1️⃣", "⌚︎"})
        CHECK(shown(emoji) == emoji);
    CHECK(shown("👩‍x") == "👩\\u200dx");
    CHECK(shown("x‍👩") == "x\\u200d👩");
    CHECK(shown("👩‍") == "👩\\u200d");
    CHECK(shown("❤\uFE0F\uFE0F") == "❤\uFE0F\\ufe0f");
    CHECK(shown("1\uFE0Fx") == "1\\ufe0fx");
    CHECK(shown("🙂\U000E0061") == "🙂\\U000e0061");
}

TEST_CASE("ill-formed bytes become one replacement for each maximal subpart") {
    CHECK(shown("a\xE2\x82z") == "a\uFFFDz");
    CHECK(shown("a\xFF\xC0z") == "a\uFFFD\uFFFDz");
}

TEST_CASE("without Unicode the usual signs are spelled and the rest is named") {
    CHECK(in_ascii("V × C ≤ 9 → “ok” … √d − π") == "V x C <= 9 -> \"ok\" ... sqrtd - pi");
    CHECK(in_ascii("⟨Jw, g⟩ 3 µs") == "<Jw, g> 3 us");
    CHECK(in_ascii("é 🙂 \xFF") == "\\u00e9 \\U0001f642 ?");
}

TEST_CASE("printable text has no tabs, and printing it twice changes nothing") {
    CHECK(printable("ab\tc\n\td\x07") == "ab  c\n    d\\x07");
    std::mt19937 random(12345);
    const std::string signs = "a \t\n\r\033\x80\xC3\xA9\xE2\x80\xAE\xF0\x9F\x99\x82\xEF\xB8\x8F";
    for (int round = 0; round < 300; ++round) {
        std::string bytes;
        for (std::size_t i = random() % 200; i > 0; --i)
            bytes += round % 2 == 0 ? static_cast<char>(random() & 0xFF) : signs[random() % signs.size()];
        for (const Charset charset : {Charset::unicode, Charset::ascii}) {
            const std::string once = printable(bytes, charset);
            CHECK(printable(once, charset) == once);
            CHECK_FALSE(first_ill_formed(once).has_value());
        }
    }
}

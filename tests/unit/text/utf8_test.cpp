#include "text/utf8.h"

#include <doctest/doctest.h>

#include <string>

using namespace text;

namespace {

/// Ill-formed bytes and what the standard makes of them.
struct Substitution {
    const char* source;
    std::string bytes;
    const char* becomes;
};

// The Unicode Standard 15.0, section 3.9, tables 3-8 to 3-11; without 3-12, the same with a longer tail.
const Substitution substitutions[] = {
    {"table 3-8, non-shortest forms", "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41",
     "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA"},
    {"table 3-9, surrogates", "\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41",
     "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA"},
    {"table 3-10, others", "\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42",
     "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB"},
    {"table 3-11, truncated sequences", "\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", "\uFFFD\uFFFD\uFFFD\uFFFDA"},
    {"the end of the text truncates, two of three", "\xE2\x82", "\uFFFD"},
    {"the end of the text truncates, three of four", "\xF0\x9F\x99", "\uFFFD"},
    {"the end of the text truncates, one", "\xC3", "\uFFFD"},
    {"a lead byte before a letter", "\xC3(", "\uFFFD("},
    {"bytes that are nothing", "\xFF\x80", "\uFFFD\uFFFD"},
};

} // namespace

TEST_CASE("ill-formed sequences are replaced as the standard's own examples are") {
    for (const Substitution& row : substitutions) {
        CAPTURE(row.source);
        CHECK(repaired(row.bytes) == row.becomes);
    }
}

TEST_CASE("a fault takes no byte of the next character") {
    for (const char* head : {"\xE1\x80", "\xF1\x80\x80", "\xC2", "\xF4"})
        CHECK(repaired(std::string(head) + "é語🙂") == "\uFFFDé語🙂");
}

TEST_CASE("every code point is written and read back, surrogates are not") {
    bool same = true;
    for (char32_t code = 0; code <= 0x10FFFF; ++code) {
        std::string bytes;
        append(bytes, code);
        const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        const Character read = first_character(bytes);
        same = same && read.well_formed && read.size == bytes.size() &&
               read.code == (surrogate ? replacement : code);
    }
    CHECK(same);
    std::string beyond;
    append(beyond, 0x110000);
    CHECK(beyond == "\uFFFD");
}

TEST_CASE("a U+FFFD in the text is no fault, and a NUL is a character") {
    CHECK(first_character("\uFFFD").well_formed);
    CHECK(first_character(std::string_view("\0", 1)).size == 1);
    CHECK_FALSE(first_character("\xFF").well_formed);
}

TEST_CASE("the first fault is named by its offset") {
    CHECK_FALSE(first_ill_formed("").has_value());
    CHECK_FALSE(first_ill_formed("é語🙂\uFFFD").has_value());
    CHECK(first_ill_formed("é\xC0\xAF") == 2);
    CHECK(first_ill_formed("ab\xE2\x82") == 2);
}

TEST_CASE("a prefix ends between characters and is as long as it may be") {
    CHECK(prefix("aé", 2) == "a");
    CHECK(prefix("aé", 3) == "aé");
    CHECK(prefix("🙂🙂", 7) == "🙂");
    CHECK(prefix("🙂", 3).empty());
    CHECK(prefix("abc", 0).empty());
    CHECK(prefix("\x80\x80\x80\x80\x80\x80\x80\x80", 5).size() == 5); // each of them is a fault of its own
    CHECK(prefix("a\xE2\x82z", 2) == "a");                            // one fault of two bytes
}

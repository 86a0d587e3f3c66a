#include "terminal/text.h"

#include <doctest/doctest.h>

using terminal::cleaned;
using terminal::display_width;
using terminal::first_code_point;
using terminal::shortened;

TEST_CASE("code points are read from UTF-8") {
    CHECK(first_code_point("a").value == U'a');
    CHECK(first_code_point("é").value == U'é');
    CHECK(first_code_point("語").value == U'語');
    CHECK(first_code_point("🙂").value == U'🙂');
    CHECK(first_code_point("🙂").bytes == 4);
}

TEST_CASE("code points are written as UTF-8") {
    for (const char32_t value :
         {U'a', U'\x7f', U'\x80', U'é', U'\x7ff', U'\x800', U'語', U'\xffff', U'🙂', U'\x10ffff'})
        CHECK(first_code_point(terminal::to_utf8(value)).value == value);
    CHECK(terminal::to_utf8(U'語') == "語");
    CHECK(terminal::to_utf8(0xd800) == "\uFFFD");
    CHECK(terminal::to_utf8(0x110000) == "\uFFFD");
}

TEST_CASE("what is not UTF-8 is one replacement a byte") {
    for (const char* bytes : {"\x80", "\xff", "\xc3", "\xc3(", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                              "\xf0\x9f\x99", "\xf5\x80\x80\x80", "\xf4\x90\x80\x80"}) {
        CHECK(first_code_point(bytes).value == 0xfffd);
        CHECK(first_code_point(bytes).bytes == 1);
    }
    CHECK(cleaned("a\xff"
                  "b",
                  true) == "a\uFFFD"
                           "b");
}

TEST_CASE("width counts columns, not bytes") {
    CHECK(display_width("abc") == 3);
    CHECK(display_width("é") == 1);
    CHECK(display_width("e\u0301") == 1);
    CHECK(display_width("日本語") == 6);
    CHECK(display_width("🙂") == 2);
    CHECK(display_width("") == 0);
    CHECK(display_width("a\u200bb") == 2);
}

TEST_CASE("nothing that moves the cursor or reorders text survives") {
    CHECK(cleaned("a\033[31mb\033]0;title\007c", true) == "a[31mb]0;titlec");
    CHECK(cleaned("a\rb\bc\x7f"
                  "d\v\f",
                  true) == "abcd");
    CHECK(cleaned("a\xc2\x9b"
                  "31mb",
                  true) == "a31mb"); // U+009B begins a control sequence on some terminals
    CHECK(cleaned("a\u202eb\u2066c\u200fd\ufeff", true) == "abcd");
    CHECK(cleaned(std::string_view("a\0b", 3), true) == "ab");
    CHECK(cleaned("a\nb", true) == "a\nb");
}

TEST_CASE("tabs reach the next multiple of four") {
    CHECK(cleaned("\tx", true) == "    x");
    CHECK(cleaned("ab\tx\ny\tz", true) == "ab  x\ny   z");
    CHECK(cleaned("語\tx", true) == "語  x");
}

TEST_CASE("without Unicode the usual signs are spelled and the rest is a question mark") {
    CHECK(cleaned("V × C ≤ 9 → “ok” … √d − π", false) == "V x C <= 9 -> \"ok\" ... sqrtd - pi");
    CHECK(cleaned("⟨Jw, g⟩", false) == "<Jw, g>");
    CHECK(cleaned("日e\u0301", false) == "?e");
    for (const char letter : cleaned("é ✓ 🙂 \xff ∂", false))
        CHECK(static_cast<unsigned char>(letter) < 0x80);
}

TEST_CASE("shortening keeps within the columns and never cuts a character") {
    CHECK(shortened("hello world", 8) == "hello...");
    CHECK(shortened("hello", 5) == "hello");
    CHECK(shortened("日本語日本語", 8) == "日本...");
    CHECK(shortened("hello", 3) == "...");
    CHECK(shortened("hello", 1) == ".");
    CHECK(shortened("hello", 0) == "");
    CHECK(shortened("hello", -4) == "");
}

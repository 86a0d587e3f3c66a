#include "text/screen.h"

#include <doctest/doctest.h>

namespace {

/// The same whatever pieces it comes in.
std::string passed(const std::string& bytes) {
    text::Screen whole;
    std::string result = whole.passed(bytes);
    result += whole.ending();
    text::Screen each;
    std::string pieces;
    for (const char byte : bytes)
        pieces += each.passed({&byte, 1});
    pieces += each.ending();
    CHECK(pieces == result);
    return result;
}

const std::string ending = "\x0f\x1b(B\x1b[m";

} // namespace

TEST_CASE("words, line ends, colours and movement pass") {
    for (const std::string& bytes : {std::string("plain\r\n\ttab \b\a"), std::string("ü 語 😀")})
        CHECK(passed(bytes) == bytes);
    for (const std::string& bytes :
         {std::string("\x1b[31;1mred\x1b[m"), std::string("\x1b[K\x1b[2J\x1b[10;20H\x1b[1P\x1b[3@\x1b[A"),
          std::string("\x1b(0qqq\x1b(B\x1b=\x1b>\x1b"
                      "7\x1b"
                      "8")})
        CHECK(passed(bytes) == bytes + ending);
}

TEST_CASE("what acts on more than the screen is shown") {
    CHECK(passed("\x1b]52;c;QUJD\a") == "\\x1b]52;c;QUJD\a");           // the clipboard
    CHECK(passed("\x1b]0;title\x1b\\") == "\\x1b]0;title\\x1b\\");      // the title
    CHECK(passed("\x1bP+q544e\x1b\\") == "\\x1bP+q544e\\x1b\\");        // an answer
    CHECK(passed("\x1b[6n\x1b[c\x1b[>c") == "\\x1b[6n\\x1b[c\\x1b[>c"); // a report
    CHECK(passed("\x1b[21t\x1b[5i") == "\\x1b[21t\\x1b[5i");            // the title, a printer
    CHECK(passed("\x1b[?1000h\x1b[?1006h") == "\\x1b[?1000h\\x1b[?1006h");
    CHECK(passed("\x1b"
                 "c") == "\\x1b"
                         "c"); // a reset
    CHECK(passed("\xc2\x9d"
                 "52;c;QUJD\xc2\x9c") == "\\xc2\\x9d52;c;QUJD\\xc2\\x9c");
    CHECK(passed("\x9d"
                 "52;c;QUJD\x9c") == "\\x9d"
                                     "52;c;QUJD\\x9c");
    CHECK(passed(std::string("\0\x05\x7f", 3)) == "\\x00\\x05\\x7f");
}

TEST_CASE("a sequence that never ends is shown") {
    CHECK(passed("\x1b") == "\\x1b");
    CHECK(passed("\x1b[31") == "\\x1b[31");
    CHECK(passed("\x1b[" + std::string(100, '1') + "m") == "\\x1b[" + std::string(100, '1') + "m");
    CHECK(passed("\xe8\xaa") == "\\xe8\\xaa");
    CHECK(passed("\xe8 a") == "\\xe8 a");
}

TEST_CASE("modes that were changed are taken back") {
    CHECK(passed("\x1b[?2004h") == "\x1b[?2004h\x1b[?2004l" + ending);
    CHECK(passed("\x1b[?25l") == "\x1b[?25l\x1b[?25h" + ending);
    CHECK(passed("\x1b[?1049h\x1b[?1049l\x1b[?7l\x1b[?7h") ==
          "\x1b[?1049h\x1b[?1049l\x1b[?7l\x1b[?7h" + ending);
}

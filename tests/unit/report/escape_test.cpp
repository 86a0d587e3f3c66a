#include "report/escape.h"

#include "golden/fixtures.h"

#include <doctest/doctest.h>

#include <string>

using namespace report;
using namespace std::string_literals;

namespace {

constexpr std::size_t plenty = 1000;

std::string shown(const std::string& text) {
    return terminal(text, plenty, Lines::keep);
}

} // namespace

TEST_CASE("control characters appear by name on a terminal") {
    CHECK(shown("\x1b[31mred") == "\\x1b[31mred");
    CHECK(shown("nul:\0:"s) == "nul:\\x00:");
    CHECK(shown("back\bspace\x7f") == "back\\x08space\\x7f");
    CHECK(shown("\xc2\x9b"
                "31m") == "\\u009b31m"); // CSI in its one-character form
    CHECK(shown("honest text: ü € 漢 😀") == "honest text: ü € 漢 😀");
}

TEST_CASE("bidi overrides, zero widths and tags appear by name") {
    CHECK(shown("\u202e") == "\\u202e");
    CHECK(shown("a\u200bb\u2066c\ufeff") == "a\\u200bb\\u2066c\\ufeff");
    CHECK(shown("\U000e0041") == "\\U000e0041");
    CHECK(shown("\u2028") == "\\u2028");
}

TEST_CASE("broken UTF-8 becomes U+FFFD, one for each maximal subpart") {
    // Unicode 15, table 3-8: the sequence of the standard's own example.
    CHECK(shown("a\xf1\x80\x80\xe1\x80\xc2"
                "b\x80"
                "c\x80\xbf"
                "d") == "a\ufffd\ufffd\ufffd"
                        "b\ufffd"
                        "c\ufffd\ufffd"
                        "d");
    CHECK(shown("\xc0\xaf") == "\ufffd\ufffd");                     // overlong
    CHECK(shown("\xed\xa0\x80") == "\ufffd\ufffd\ufffd");           // surrogate
    CHECK(shown("\xf4\x90\x80\x80") == "\ufffd\ufffd\ufffd\ufffd"); // above U+10FFFF
    CHECK(shown("\xe2\x82") == "\ufffd");                           // ends too early
    CHECK(shown("\xf4\x8f\xbf\xbd") == "\xf4\x8f\xbf\xbd");
}

TEST_CASE("a text is cut between characters and the tail counts the bytes that are missing") {
    CHECK(repaired("0123456789", 10) == "0123456789");
    CHECK(repaired("0123456789", 4) == "0123… (6 more bytes)");
    CHECK(repaired("0123456789", 9) == "012345678… (1 more byte)");
    CHECK(repaired("aé", 2) == "a… (2 more bytes)");
    CHECK(repaired("é", 0) == "… (2 more bytes)");
    CHECK(terminal("€€", 3, Lines::keep, Charset::ascii) == "\\u20ac... (3 more bytes)");
}

TEST_CASE("line ends stay or are shown, and CR alone never stays") {
    CHECK(terminal("a\r\nb\tc", plenty, Lines::keep) == "a\nb\tc");
    CHECK(terminal("a\r\nb\tc", plenty, Lines::show) == "a\\nb\\tc");
    CHECK(shown("good\rbad") == "good\\rbad");
}

TEST_CASE("an ASCII terminal gets ASCII only") {
    for (const char letter :
         terminal(fixtures::hostile_text() + "é — “x” ≤ µs", plenty, Lines::keep, Charset::ascii)) {
        const auto byte = static_cast<unsigned char>(letter);
        CHECK((letter == '\n' || (byte >= 0x20 && byte < 0x7f)));
    }
    CHECK(terminal("1 ≤ 2 — “so” 3 µs", plenty, Lines::keep, Charset::ascii) == "1 <= 2 - \"so\" 3 us");
}

TEST_CASE("XML and HTML lose their special characters, and what XML 1.0 forbids is shown") {
    CHECK(xml("]]> <a b=\"c\" d='e'> & \x01 \uffff", plenty, Lines::keep) ==
          "]]&gt; &lt;a b=&quot;c&quot; d=&#39;e&#39;&gt; &amp; \\x01 \\uffff");
    CHECK(html("<script>\n", plenty) == "&lt;script&gt;\\n");
}

TEST_CASE("Markdown text stays text") {
    CHECK(markdown("*a* _b_ `c` [d](e) | <f> #1 @g", plenty) ==
          "&#42;a&#42; &#95;b&#95; &#96;c&#96; &#91;d&#93;(e) &#124; &#60;f&#62; &#35;1 &#64;g");
    CHECK(markdown("https://x www.y", plenty) == "https&#58;//x www&#46;y");
    CHECK(markdown("row r (of 3), r * 2 - 1.5", plenty) == "row r (of 3), r &#42; 2 - 1.5");
}

TEST_CASE("a Markdown fence is longer than any run of backticks inside it") {
    CHECK(markdown_block("x", plenty) == "```text\nx\n```\n");
    CHECK(markdown_block("a\n`````\nb", plenty) == "``````text\na\n`````\nb\n``````\n");
}

TEST_CASE("workflow command values cannot end their command") {
    CHECK(command_data("50% a:b,c\r\n::error::x", plenty) == "50%25 a:b,c%0A::error::x");
    CHECK(command_data("%0A::error::x", plenty) == "%250A::error::x");
    CHECK(command_data("a:b,c%\n", plenty, Lines::show) == "a:b,c%25\\n");
    CHECK(command_property("a:b,c%\n", plenty) == "a%3Ab%2Cc%25\\n");
    CHECK(command_data("##[add-mask]x", plenty) == "##\\[add-mask]x");
}

TEST_CASE("quoted log lines cannot be commands and their token does not occur in them") {
    const std::string first = command_quote("::error::x\n##[error]y", plenty);
    const std::string open = "::stop-commands::";
    REQUIRE(first.starts_with(open));
    const std::string token = first.substr(open.size(), 20);
    CHECK(first == open + token + "\n| ::error::x\n| ##\\[error]y\n::" + token + "::\n");

    // A text that holds the token it would get otherwise gets another one, and still the same each time.
    const std::string guess = "x\n::" + token + "::\n";
    const std::string second = command_quote(guess, plenty);
    CHECK(second.substr(open.size(), 20) != token);
    CHECK(second == command_quote(guess, plenty));
}

#include "report/page.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace report;

namespace {

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> lines{""};
    for (const char letter : text) {
        if (letter == '\n')
            lines.emplace_back();
        else
            lines.back() += letter;
    }
    if (lines.back().empty()) lines.pop_back();
    return lines;
}

} // namespace

TEST_CASE("colour surrounds whole pieces, and none is written without colour") {
    Page plain({.colour = false, .width = 40});
    plain.sentence("words that are red", Tone::bad);
    CHECK(std::move(plain).text() == "words that are red\n");

    Page colour({.colour = true, .width = 12});
    colour.sentence("words that are red", Tone::bad);
    CHECK(std::move(colour).text() == "\x1b[97;41mwords that\x1b[0m\n\x1b[97;41mare red\x1b[0m\n");
}

TEST_CASE("a label has its own tone on the line of its sentence") {
    Page page({.colour = true, .width = 16});
    page.labelled("a.cpp:1: error:", Tone::bad, "one two", 2, 2);
    CHECK(std::move(page).text() ==
          "  \x1b[97;41ma.cpp:1:\x1b[0m\n    \x1b[97;41merror:\x1b[0m one\n    two\n");
}

TEST_CASE("the mark is under the byte's column, after tabs, wide letters and what is shown by name") {
    const auto marked = [](std::string_view source, int column) {
        Page page({.colour = false, .width = 40});
        page.source_line(source, column, Tone::bad, 2);
        return split(std::move(page).text());
    };
    CHECK(marked("int a = 1", 10) == std::vector<std::string>{"  int a = 1", "           ^"});
    CHECK(marked("\tx", 2) == std::vector<std::string>{"      x", "      ^"});
    CHECK(marked("漢 x", 5) == std::vector<std::string>{"  漢 x", "     ^"});
    CHECK(marked("\x1b x", 3) == std::vector<std::string>{"  \\x1b x", "       ^"});
    CHECK(marked("x", 9) == std::vector<std::string>{"  x", "   ^"});
    CHECK(marked("x\ny", 2) == std::vector<std::string>{"  x", "   ^"});
    CHECK(marked("x", 0) == std::vector<std::string>{"  x"});
}

TEST_CASE("a line too long for the page is cut around the mark") {
    const auto marked = [](int column) {
        Page page({.colour = false, .width = 20});
        page.source_line("abcdefghijklmnopqrstuvwxyz0123456789", column, Tone::bad, 0);
        return split(std::move(page).text());
    };
    CHECK(marked(1) == std::vector<std::string>{"abcdefghijklmnopqrs…", "^"});
    CHECK(marked(26) == std::vector<std::string>{"…nopqrstuvwxyz01234…", "             ^"});
    CHECK(marked(19) == std::vector<std::string>{"…ghijklmnopqrstuvwx…", "             ^"});
    CHECK(marked(36) == std::vector<std::string>{"…xyz0123456789", "             ^"});
}

TEST_CASE("a row keeps its tail flush right in the first line") {
    Page page({.colour = false, .width = 20});
    page.row("x", Tone::bad, "a name of some length", "0/2");
    CHECK(split(std::move(page).text()) ==
          std::vector<std::string>{"  x a name of    0/2", "    some length"});
}

TEST_CASE("a sentence stays one, a paragraph keeps its lines") {
    Page page({.colour = false, .width = 40});
    page.sentence("one\ntwo", Tone::plain, 2);
    page.paragraph("one\ntwo", Tone::plain, 2);
    CHECK(std::move(page).text() == "  one\\ntwo\n  one\n  two\n");
}

TEST_CASE("foreign text is cut after its lines, or after 100 bytes for each") {
    Page page({.colour = false, .width = 80});
    page.verbatim("1\n2\n3\n4\n", 2);
    page.verbatim("1\n2\n", 2);
    CHECK(std::move(page).text() == "1\n2\n… (4 more bytes)\n1\n2\n");

    Page flood({.colour = false, .width = 80});
    flood.verbatim(std::string(100000, 'x'), 2);
    CHECK(std::move(flood).text().size() < 250);
}

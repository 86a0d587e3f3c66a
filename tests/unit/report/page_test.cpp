#include "report/page.h"

#include "report/utf8.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace report;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
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

TEST_CASE("lines break at blanks, long words between characters") {
    CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
    CHECK(wrap("one two three", 80) == std::vector<std::string>{"one two three"});
    CHECK(wrap("abcdefghij kl", 4) == std::vector<std::string>{"abcd", "efgh", "ij", "kl"});
    CHECK(wrap("    indented code here", 16) == std::vector<std::string>{"    indented", "code here"});
    CHECK(wrap("", 10) == std::vector<std::string>{""});
}

TEST_CASE("wide characters count two columns and combining marks none") {
    CHECK(columns("漢字") == 4);
    CHECK(columns("e\u0301") == 1);
    CHECK(columns("😀") == 2);
    CHECK(wrap("漢字漢字", 5) == std::vector<std::string>{"漢字", "漢字"});
}

TEST_CASE("colour surrounds whole pieces, and none is written without colour") {
    Page plain({.colour = false, .width = 40});
    plain.sentence("words that are red", Tone::bad);
    CHECK(std::move(plain).text() == "words that are red\n");

    Page colour({.colour = true, .width = 12});
    colour.sentence("words that are red", Tone::bad);
    CHECK(std::move(colour).text() == "\x1b[31mwords that\x1b[0m\n\x1b[31mare red\x1b[0m\n");
}

TEST_CASE("a row keeps its tail flush right in the first line") {
    Page page({.colour = false, .width = 20});
    page.row("x", Tone::bad, "a name of some length", "0/2");
    CHECK(lines_of(std::move(page).text()) ==
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

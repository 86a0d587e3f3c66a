#include "text/wrap.h"

#include <doctest/doctest.h>

using namespace text;

namespace {

constexpr unsigned strong = 1;

using Texts = std::vector<std::string>;

Texts lines_of(const Pieces& pieces, int width, Blanks blanks = Blanks::collapse) {
    Texts lines;
    for (const Line& line : wrap(pieces, width, blanks)) {
        lines.emplace_back();
        for (const Piece& piece : line.pieces)
            lines.back() += piece.text;
    }
    return lines;
}

Texts as_typed(const std::string& text, int width) {
    return lines_of({{text}}, width, Blanks::keep);
}

} // namespace

TEST_CASE("words fill a line to its last column and not beyond") {
    CHECK(lines_of({{"aaa bbb ccc"}}, 7) == Texts{"aaa bbb", "ccc"});
    CHECK(lines_of({{"aaa bbb ccc"}}, 6) == Texts{"aaa", "bbb", "ccc"});
    CHECK(lines_of({{"  aaa   bbb  "}}, 40) == Texts{"aaa bbb"});
    CHECK(lines_of({}, 10).empty());
    CHECK(lines_of({{"   "}}, 10).empty());
}

TEST_CASE("kept blanks stay inside a line and before the first word, not where a line was broken") {
    CHECK(as_typed("  a   b  ", 40) == Texts{"  a   b"});
    CHECK(as_typed("    indented code here", 16) == Texts{"    indented", "code here"});
    CHECK(as_typed("one   two", 8) == Texts{"one", "two"});
    CHECK(as_typed("one   two", 9) == Texts{"one   two"});
    CHECK(as_typed("", 10).empty());
}

TEST_CASE("kept blanks before the first word shrink rather than break it") {
    CHECK(as_typed("      abcd e", 8) == Texts{"    abcd", "e"});
    CHECK(as_typed("      abcdefghij", 8) == Texts{"abcdefgh", "ij"});
    CHECK(as_typed(std::string(1000, ' ') + "x", 8) == Texts{"       x"});
}

TEST_CASE("pieces without a blank between them stay one word") {
    CHECK(lines_of({{"aa "}, {"bb", strong}, {", cc"}}, 6) == Texts{"aa bb,", "cc"});
    CHECK(lines_of({{"aa "}, {"bb", strong}, {", cc"}}, 5) == Texts{"aa", "bb,", "cc"});
}

TEST_CASE("a blank has the style of both its neighbours or none") {
    const auto lines = wrap({{"aa bb", strong}, {" cc"}}, 40);
    REQUIRE(lines.size() == 1);
    REQUIRE(lines[0].pieces.size() == 2);
    CHECK(lines[0].pieces[0].text == "aa bb");
    CHECK(lines[0].pieces[1].text == " cc");
    CHECK(lines[0].width == 8);
}

TEST_CASE("a line break in the text breaks the line") {
    CHECK(lines_of({{"aa"}, {"\n"}, {"bb"}}, 20) == Texts{"aa", "bb"});
    CHECK(lines_of({{"aa \n bb"}}, 20) == Texts{"aa", "bb"});
}

TEST_CASE("a word too long for any line is broken by columns, unless it is whole") {
    CHECK(lines_of({{"abcdefgh ij"}}, 3) == Texts{"abc", "def", "gh", "ij"});
    CHECK(lines_of({{"日本語"}}, 5) == Texts{"日本", "語"});
    CHECK(lines_of({{"日本語"}}, 1) == Texts{"日", "本", "語"});
    CHECK(lines_of({{"x "}, {"abcdefgh", whole}, {" y"}}, 3) == Texts{"x", "abcdefgh", "y"});
}

TEST_CASE("combining marks take no column and emoji are never torn") {
    CHECK(lines_of({{"e\u0301e\u0301e\u0301 aa"}}, 6) == Texts{"e\u0301e\u0301e\u0301 aa"});
    CHECK(lines_of({{"👨‍👩‍👧👨‍👩‍👧"}}, 3) ==
          Texts{"👨‍👩‍👧", "👨‍👩‍👧"});
}

TEST_CASE("an extent is the longest word and the whole line") {
    CHECK(extent({{"aa bbbb c"}}).least == 4);
    CHECK(extent({{"aa  bbbb c"}}).natural == 9);
    CHECK(extent({}).natural == 0);
}

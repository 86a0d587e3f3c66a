#include "terminal/wrap.h"

#include <doctest/doctest.h>

using namespace terminal;

namespace {

std::vector<std::string> plain_lines(const Pieces& pieces, int width) {
    std::vector<std::string> lines;
    for (const Line& line : wrap(pieces, width))
        lines.push_back(painted(line, false));
    return lines;
}

using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("words fill a line to its last column and not beyond") {
    CHECK(plain_lines({{"aaa bbb ccc"}}, 7) == Lines{"aaa bbb", "ccc"});
    CHECK(plain_lines({{"aaa bbb ccc"}}, 6) == Lines{"aaa", "bbb", "ccc"});
    CHECK(plain_lines({{"  aaa   bbb  "}}, 40) == Lines{"aaa bbb"});
    CHECK(plain_lines({}, 10).empty());
    CHECK(plain_lines({{"   "}}, 10).empty());
}

TEST_CASE("pieces without a blank between them stay one word") {
    CHECK(plain_lines({{"aa "}, {"bb", bold}, {", cc"}}, 6) == Lines{"aa bb,", "cc"});
    CHECK(plain_lines({{"aa "}, {"bb", bold}, {", cc"}}, 5) == Lines{"aa", "bb,", "cc"});
}

TEST_CASE("a line break in the text breaks the line") {
    CHECK(plain_lines({{"aa"}, {"\n"}, {"bb"}}, 20) == Lines{"aa", "bb"});
    CHECK(plain_lines({{"aa \n bb"}}, 20) == Lines{"aa", "bb"});
}

TEST_CASE("a word too long for any line is broken by columns, unless it is whole") {
    CHECK(plain_lines({{"abcdefgh ij"}}, 3) == Lines{"abc", "def", "gh", "ij"});
    CHECK(plain_lines({{"日本語"}}, 5) == Lines{"日本", "語"});
    CHECK(plain_lines({{"日本語"}}, 1) == Lines{"日", "本", "語"});
    CHECK(plain_lines({{"x "}, {"abcdefgh", whole}, {" y"}}, 3) == Lines{"x", "abcdefgh", "y"});
}

TEST_CASE("combining marks take no room") {
    CHECK(plain_lines({{"e\u0301e\u0301e\u0301 aa"}}, 6) == Lines{"e\u0301e\u0301e\u0301 aa"});
}

TEST_CASE("every look is switched off where it ends, and blanks keep it only inside") {
    const auto lines = wrap({{"aa bb", bold}, {" cc"}}, 40);
    REQUIRE(lines.size() == 1);
    CHECK(painted(lines[0], true) == "\033[1maa bb\033[0m cc");
    const auto broken = wrap({{"aa bb", bold | terminal::link}}, 2);
    REQUIRE(broken.size() == 2);
    CHECK(painted(broken[0], true) == "\033[1;4maa\033[0m");
    CHECK(painted(broken[1], true) == "\033[1;4mbb\033[0m");
    CHECK(painted(broken[1], false) == "bb");
}

TEST_CASE("blanks at the end of a line are not written") {
    Line line;
    append(line, "aa  ", plain);
    append(line, "   ", bold);
    CHECK(painted(line, true) == "aa");
}

TEST_CASE("an extent is the longest word and the whole line") {
    CHECK(extent({{"aa bbbb c"}}).least == 4);
    CHECK(extent({{"aa  bbbb c"}}).natural == 9);
    CHECK(extent({}).natural == 0);
}

TEST_CASE("a line that fits stays as it is, and one that does not is broken behind its own indentation") {
    CHECK(terminal::fitted("a   b\n  one two three\n", 10) == "a   b\n  one two\n  three\n");
    CHECK(terminal::fitted("\n\nend", 10) == "\n\nend");
    CHECK(terminal::fitted("", 10).empty());
}

TEST_CASE("hanging text leaves room on its left in all lines but the first") {
    CHECK(terminal::hanging("one two three", 9, 2) == "one two\n  three");
    CHECK(terminal::hanging("ab", 3, 5) == "a\n     b");
}

#include "terminal/look.h"

#include <doctest/doctest.h>

using namespace terminal;

TEST_CASE("every look is switched off where it ends, and blanks keep it only inside") {
    const auto lines = text::wrap({{"aa bb", bold}, {" cc"}}, 40);
    REQUIRE(lines.size() == 1);
    CHECK(painted(lines[0], true) == "\033[1maa bb\033[0m cc");
    const auto broken = text::wrap({{"aa bb", bold | terminal::link}}, 2);
    REQUIRE(broken.size() == 2);
    CHECK(painted(broken[0], true) == "\033[1;4maa\033[0m");
    CHECK(painted(broken[1], true) == "\033[1;4mbb\033[0m");
    CHECK(painted(broken[1], false) == "bb");
}

TEST_CASE("blanks at the end of a line are not written") {
    text::Line line;
    append(line, "aa  ", plain);
    append(line, "   ", bold);
    CHECK(painted(line, true) == "aa");
}

TEST_CASE("a line that fits stays as it is, and one that does not is its rest takes its indentation") {
    CHECK(terminal::fitted("a   b\n  one two three\n", 10) == "a   b\n  one two\n  three\n");
    CHECK(terminal::fitted("\n\nend", 10) == "\n\nend");
    CHECK(terminal::fitted("", 10).empty());
}

TEST_CASE("hanging text is indented in all lines but the first") {
    CHECK(terminal::hanging("one two three", 9, 2) == "one two\n  three");
    CHECK(terminal::hanging("ab", 3, 5) == "a\n     b");
}

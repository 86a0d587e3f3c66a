#include "coursework/csv.h"

#include "model/errors.h"

#include <doctest/doctest.h>

using coursework::csv_line;
using coursework::read_csv;
using Cells = std::vector<std::string>;

TEST_CASE("cells are separated by whatever the first line has most of") {
    CHECK(read_csv("f", "a,b\r\n1,2\r\n")[1].cells == Cells{"1", "2"});
    CHECK(read_csv("f", "a;b;c\n1,5;2;3\n")[1].cells == Cells{"1,5", "2", "3"});
    CHECK(read_csv("f", "a\tb\n1\t2")[1].cells == Cells{"1", "2"});
}

TEST_CASE("a byte order mark is no part of the first cell, and blank lines are no rows") {
    const auto rows = read_csv("f", "\xef\xbb\xbfid,name\n\n\r\nada,Ada\n");
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].cells.front() == "id");
    CHECK(rows[1].line == 4);
}

TEST_CASE("a quoted cell may hold separators, quotes and line ends") {
    const auto rows = read_csv("f", "a,b\n\"x, \"\"y\"\"\nz\",2\nlast,3\n");
    REQUIRE(rows.size() == 3);
    CHECK(rows[1].cells == Cells{"x, \"y\"\nz", "2"});
    CHECK(rows[2].line == 4);
}

TEST_CASE("a fault is named with file and line") {
    CHECK_THROWS_WITH_AS(read_csv("r.csv", "a,b\n1,\"2\n\n"),
                         "cannot read r.csv: line 2: a quote is opened and not closed", model::ContentError);
    CHECK_THROWS_WITH_AS(read_csv("r.csv", "a,b\n\"1\"2,3\n"),
                         "cannot read r.csv: line 2: there is text after a closing quote",
                         model::ContentError);
    CHECK_THROWS_AS(read_csv("r.csv", std::string(1001, ',')), model::ContentError);
}

TEST_CASE("a line that is written reads back as it was") {
    const Cells cells{"plain", "a,b", "say \"x\"", "two\nlines", ""};
    CHECK(read_csv("f", csv_line(cells))[0].cells == cells);
}

TEST_CASE("what a spreadsheet would calculate is written as text") {
    for (const char* formula : {"=HYPERLINK(\"http://x\")", "+1", "-1", "@sum", "\tx", "\rx"})
        CHECK(read_csv("f", csv_line({formula, "y", "z"}))[0].cells[0] == std::string("'") + formula);
    CHECK(csv_line({"a=b", "ada"}) == "a=b,ada\r\n");
}

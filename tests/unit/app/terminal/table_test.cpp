#include "terminal/table.h"

#include "text/clean.h"

#include <doctest/doctest.h>

using namespace terminal;

namespace {

Table shapes() {
    return {{Align::left, Align::right, Align::centre},
            {{{"name"}}, {{"size"}}, {{"meaning"}}},
            {{{{"table"}}, {{"6"}}, {{"one row a token"}}}, {{{"ids"}}, {{"1024"}}, {{"row numbers"}}}}};
}

std::string shown(const Table& table, int width, bool unicode = false) {
    std::string out;
    for (const text::Line& line : lay_out(table, width, unicode))
        out += painted(line, false) + "\n";
    return out;
}

} // namespace

TEST_CASE("columns stand below each other by their alignment") {
    CHECK(shown(shapes(), 80) == "name  | size |     meaning\n"
                                 "------+------+----------------\n"
                                 "table |    6 | one row a token\n"
                                 "ids   | 1024 |   row numbers\n");
    CHECK(shown(shapes(), 80, true).find("──────┼──────┼─") != std::string::npos);
}

TEST_CASE("the widest column wraps first, and no line is wider than allowed") {
    CHECK(shown(shapes(), 23) == "name  | size | meaning\n"
                                 "------+------+---------\n"
                                 "table |    6 | one row\n"
                                 "      |      | a token\n"
                                 "ids   | 1024 |   row\n"
                                 "      |      | numbers\n");
    for (int width = 20; width < 60; ++width)
        for (const text::Line& line : lay_out(shapes(), width, true))
            CHECK(line.width <= width);
}

TEST_CASE("a table whose words do not fit becomes a list") {
    CHECK(shown(shapes(), 20) == "name: table\n"
                                 "size: 6\n"
                                 "meaning: one row a\n"
                                 "  token\n"
                                 "\n"
                                 "name: ids\n"
                                 "size: 1024\n"
                                 "meaning: row\n"
                                 "  numbers\n");
}

TEST_CASE("wide characters are aligned by columns") {
    const Table table{
        {Align::left, Align::left}, {{{"a"}}, {{"b"}}}, {{{{"日本"}}, {{"x"}}}, {{{"abcd"}}, {{"y"}}}}};
    CHECK(shown(table, 40) == "a    | b\n"
                              "-----+--\n"
                              "日本 | x\n"
                              "abcd | y\n");
}

TEST_CASE("empty cells and a table without rows are no trouble") {
    Table table = shapes();
    table.rows = {{{}, {}, {}}};
    CHECK(shown(table, 80) == "name | size | meaning\n-----+------+--------\n     |      |\n");
    table.rows.clear();
    CHECK(shown(table, 80) == "name | size | meaning\n-----+------+--------\n");
    CHECK(shown({}, 80).empty());
}
